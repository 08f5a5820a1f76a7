# cython: boundscheck=False, wraparound=False, cdivision=True
"""The mask in typed Cython: C variables, a memoryview, and still one Python call per pixel.

The loop over the edges no longer touches Python objects. Only the call still does: its arguments
are boxed, and the memoryview is acquired and released, for every pixel. The first line
turns off the checks of indices and divisors.
"""

import numpy as np

from polymask import contract


def inside_polygon(double x, double y, const double[:, ::1] vertices, bint border_value):
    """Return whether the point (x, y) is inside the polygon, by the even-odd rule."""
    cdef bint inside = False
    cdef Py_ssize_t n = vertices.shape[0], i, j
    cdef double x1, y1, x2, y2
    for i in range(n):
        j = (i + 1) % n  # the last vertex joins the first
        x1, y1 = vertices[i, 0], vertices[i, 1]
        x2, y2 = vertices[j, 0], vertices[j, 1]
        if x == x1 and y == y1:
            inside = border_value
            break
        # half open in y, so that a vertex between two edges is crossed once
        if y > min(y1, y2) and y <= max(y1, y2) and x <= max(x1, x2) and y1 != y2:
            if x1 == x2 or x <= (y - y1) * (x2 - x1) / (y2 - y1) + x1:
                inside = not inside
    return inside


def make_mask(vertices, shape, border_value=True):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    cdef unsigned char[:, ::1] mask = np.empty((rows, cols), dtype=np.uint8)
    cdef Py_ssize_t y, x
    for y in range(mask.shape[0]):
        for x in range(mask.shape[1]):
            mask[y, x] = inside_polygon(x, y, vertices, border_value)
    return np.asarray(mask)
