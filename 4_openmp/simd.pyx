# cython: boundscheck=False, wraparound=False
"""The same rule for eight pixels at a time in vector registers, with rows distributed to threads.

A core compares up to eight doubles as fast as one if the compiler can put them side by side. This
requires code without branches per pixel: csrc/rule_simd.h lists the conditions.
"""

import numpy as np

from cython.parallel cimport prange
from polymask import contract
from ladder.devices.openmp import check, threads_used  # check: used by the registry
from rule_simd cimport inside_polygon_row


cdef class Polygon:
    """A polygon whose vertices can be read without the Python interpreter."""

    cdef const double[:, ::1] vertices
    cdef Py_ssize_t n

    def __cinit__(self, vertices):
        self.vertices = contract.check_vertices(vertices)
        self.n = self.vertices.shape[0]

    cdef void fill(self, unsigned char[:, ::1] mask, bint border_value, int team) noexcept nogil:
        cdef const double *vertices = &self.vertices[0, 0]
        cdef Py_ssize_t y
        for y in prange(mask.shape[0], schedule="dynamic", chunksize=16, num_threads=team):
            inside_polygon_row(y, mask.shape[1], vertices, self.n, border_value, &mask[y, 0])


def make_mask(vertices, shape, border_value=True, *, threads=None):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`.

    `threads` is the number of threads; None means one per available core.
    """
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.empty((rows, cols), dtype=np.uint8)
    cdef int team = threads_used(threads)

    cdef Polygon polygon = Polygon(vertices)
    cdef unsigned char[:, ::1] m = mask
    cdef bint border = border_value
    with nogil:
        polygon.fill(m, border, team)
    return mask
