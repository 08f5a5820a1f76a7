# cython: boundscheck=False, wraparound=False
"""The mask with its rows distributed among OpenMP threads.

Rows do not depend on each other, so `prange` may distribute them. The loop uses no Python objects
and runs without the GIL. Some rows take longer than others, so it matters how the schedule assigns
rows to threads.
"""

import numpy as np

from cython.parallel cimport prange
from inside_polygon cimport inside_polygon
from polymask import contract
from ladder.devices.openmp import check, set_schedule, threads_used  # check: used by the registry


cdef class Polygon:
    """A polygon whose vertices can be read without the Python interpreter."""

    cdef const double[:, ::1] vertices
    cdef Py_ssize_t n

    def __cinit__(self, vertices):
        self.vertices = contract.check_vertices(vertices)
        self.n = self.vertices.shape[0]

    cdef void fill(self, unsigned char[:, ::1] mask, bint border_value, int team) noexcept nogil:
        cdef const double *vertices = &self.vertices[0, 0]
        cdef Py_ssize_t y, x
        for y in prange(mask.shape[0], schedule="runtime", num_threads=team):
            for x in range(mask.shape[1]):
                mask[y, x] = inside_polygon(x, y, vertices, self.n, border_value)


def make_mask(vertices, shape, border_value=True, *, threads=None, schedule=("dynamic", 16)):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`.

    `threads` is the number of threads; None means one per available core. `schedule` is a pair:
    "static", "dynamic" or "guided", and the number of rows that a thread takes at once.
    """
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.empty((rows, cols), dtype=np.uint8)
    cdef Polygon polygon = Polygon(vertices)
    cdef unsigned char[:, ::1] m = mask
    cdef bint border = border_value
    cdef int team = threads_used(threads)
    set_schedule(schedule)  # for loops with schedule="runtime"
    with nogil:
        polygon.fill(m, border, team)
    return mask
