# cython: boundscheck=False, wraparound=False
"""The mask with a C library that tests many points in one call.

Python calls C once per mask, not once per pixel. The library requires an array of points, however,
with 16 bytes for each byte of the mask, which takes time and memory to build.
"""

import numpy as np

from points_inside_polygon cimport points_inside_polygon
from polymask import contract


def make_mask(vertices, shape, border_value=True):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.empty((rows, cols), dtype=np.uint8)
    y, x = np.indices((rows, cols), dtype=np.float64)
    points = np.stack((x, y), axis=-1)

    cdef const double[:, :, ::1] p = points
    cdef const double[:, ::1] v = vertices
    cdef unsigned char[:, ::1] m = mask
    cdef bint border = border_value
    with nogil:
        points_inside_polygon(&p[0, 0, 0], m.shape[0] * m.shape[1], &v[0, 0], v.shape[0], border,
                              &m[0, 0])
    return mask
