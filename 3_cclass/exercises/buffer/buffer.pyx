# cython: boundscheck=False, wraparound=False
"""A polygon with a copy of its vertices, in memory that it allocates and frees itself."""

import numpy as np

from inside_polygon cimport inside_polygon
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy
from polymask import contract


cdef class Polygon:
    """A polygon that owns its vertices."""

    cdef double *vertices
    cdef Py_ssize_t n

    def __cinit__(self, vertices):
        cdef const double[:, ::1] v = contract.check_vertices(vertices)
        cdef size_t bytes = v.shape[0] * 2 * sizeof(double)
        self.vertices = <double *>malloc(bytes)
        if self.vertices == NULL:
            raise MemoryError(f"no memory for {v.shape[0]} vertices")
        self.n = v.shape[0]
        memcpy(self.vertices, &v[0, 0], bytes)

    def __dealloc__(self):
        free(self.vertices)

    def mask(self, shape, border_value=True):
        """Return the mask of the polygon."""
        mask = np.empty(contract.check_shape(shape), dtype=np.uint8)
        cdef unsigned char[:, ::1] m = mask
        cdef bint border = border_value
        cdef Py_ssize_t y, x
        with nogil:
            for y in range(m.shape[0]):
                for x in range(m.shape[1]):
                    m[y, x] = inside_polygon(x, y, self.vertices, self.n, border)
        return mask


def make_mask(vertices, shape, border_value=True):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`."""
    return Polygon(vertices).mask(shape, border_value)
