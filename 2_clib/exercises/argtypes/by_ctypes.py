"""C functions called by ctypes, which reads neither a header nor a .pxd."""

import ctypes

import numpy as np

from ladder.clib import points as built  # its module contains the C function

# void points_inside_polygon(const double *points, ptrdiff_t n_points, const double *vertices,
#                            ptrdiff_t n, int border_value, uint8_t *inside);
points_inside_polygon = ctypes.CDLL(built.__file__).points_inside_polygon
DOUBLES = np.ctypeslib.ndpointer(np.float64, ndim=2, flags="C_CONTIGUOUS")
BYTES = np.ctypeslib.ndpointer(np.uint8, ndim=1, flags="C_CONTIGUOUS")
SIZE, INT = ctypes.c_ssize_t, ctypes.c_int
points_inside_polygon.argtypes = [DOUBLES, SIZE, DOUBLES, SIZE, INT, BYTES]
points_inside_polygon.restype = None

# double hypot(double x, double y);
hypot = ctypes.CDLL(None).hypot
hypot.argtypes = [ctypes.c_double, ctypes.c_double]
hypot.restype = ctypes.c_double


def length(x, y):
    """Return the length of the vector (x, y)."""
    return hypot(x, y)


def inside(points, vertices, border_value=True):
    """Return, for each of n points, whether it is inside: uint8, (n,).

    Points and vertices are float64, (n, 2). Arrays of another type, dimension or stride raise an
    error.
    """
    result = np.empty(len(points), np.uint8)
    points_inside_polygon(points, len(points), vertices, len(vertices), border_value, result)
    return result
