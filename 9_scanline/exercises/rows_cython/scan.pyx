# cython: boundscheck=False, wraparound=False, cdivision=True
"""The mask with the scanline algorithm, in Cython.

How many times as fast as openmp.prange with all its threads will it be?
prediction: ?
"""

import numpy as np

from libc.math cimport floor, fmax, fmin
from polymask import contract

cdef extern from "inside_polygon.h" nogil:
    double crossing_x(double y, double x1, double y1, double x2, double y2)


cdef void toggle(unsigned char[:, ::1] mask, double x1, double y1, double x2, double y2) noexcept nogil:
    """Store the toggles of an edge; the mask has one column more than the image."""
    cdef Py_ssize_t cols = mask.shape[1] - 1, first, last, y
    cdef double right = fmin(fmax(x1, x2), cols - 1), x
    if y1 == y2:
        return
    first = <Py_ssize_t>fmin(fmax(floor(fmin(y1, y2)) + 1, 0), mask.shape[0])
    last = <Py_ssize_t>fmin(fmax(floor(fmax(y1, y2)), -1), mask.shape[0] - 1)
    for y in range(first, last + 1):
        x = crossing_x(y, x1, y1, x2, y2)
        x = floor(right if x > right else x)  # the comparison is false for NaN, which stays
        if x >= 0:
            mask[y, 0] ^= 1
            mask[y, <Py_ssize_t>x + 1] ^= 1


cdef void scan(unsigned char[:, ::1] mask) noexcept nogil:
    """Turn the toggles into the mask, row by row."""
    cdef Py_ssize_t y, x
    cdef unsigned char parity = 0
    for y in range(mask.shape[0]):
        parity = 0
        for x in range(mask.shape[1]):
            parity ^= mask[y, x]
            mask[y, x] = parity


def make_mask(vertices, shape, border_value=True):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    wide = np.zeros((rows, cols + 1), dtype=np.uint8)
    cdef const double[:, ::1] v = vertices
    cdef unsigned char[:, ::1] m = wide
    cdef Py_ssize_t i, j, n = v.shape[0]
    cdef double x, y
    for i in range(n):
        j = (i + 1) % n  # the last vertex joins the first
        toggle(m, v[i, 0], v[i, 1], v[j, 0], v[j, 1])
    scan(m)
    for i in range(n):  # the vertices on pixels
        x, y = v[i, 0], v[i, 1]
        if x == floor(x) and y == floor(y) and 0 <= x < cols and 0 <= y < rows:
            m[<Py_ssize_t>y, <Py_ssize_t>x] = border_value
    return np.ascontiguousarray(wide[:, :cols])
