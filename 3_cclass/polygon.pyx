# cython: boundscheck=False, wraparound=False
"""The mask with an extension class that keeps the polygon in C.

The object stores the vertices as a memoryview and their number as a C integer. Python calls C once
per mask, and no array of points is built: x and y are loop counters. `fill` runs without the GIL
(`nogil`) and raises no Python exception (`noexcept`).
"""

import numpy as np

from inside_polygon cimport inside_polygon
from polymask import contract


cdef class Polygon:
    """A polygon whose vertices can be read without the Python interpreter."""

    cdef const double[:, ::1] vertices
    cdef Py_ssize_t n

    def __cinit__(self, vertices):
        self.vertices = contract.check_vertices(vertices)
        self.n = self.vertices.shape[0]

    cdef void fill(self, unsigned char[:, ::1] mask, bint border_value) noexcept nogil:
        cdef const double *vertices = &self.vertices[0, 0]
        cdef Py_ssize_t y, x
        for y in range(mask.shape[0]):
            for x in range(mask.shape[1]):
                mask[y, x] = inside_polygon(x, y, vertices, self.n, border_value)


def make_mask(vertices, shape, border_value=True):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.empty((rows, cols), dtype=np.uint8)
    cdef Polygon polygon = Polygon(vertices)
    cdef unsigned char[:, ::1] m = mask
    cdef bint border = border_value
    with nogil:
        polygon.fill(m, border)
    return mask
