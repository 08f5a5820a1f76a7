# cython: boundscheck=False, wraparound=False
"""The mask by rows: the crossings of a row are collected in a buffer, then the row is filled."""

import numpy as np

from cython.parallel cimport prange, threadid

cdef extern from "crossings.h" nogil:
    Py_ssize_t collect(double y, const double *vertices, Py_ssize_t n, double *xs)
    void fill(const double *xs, Py_ssize_t count, unsigned char *row, Py_ssize_t cols)


def make_mask(const double[:, ::1] vertices, shape, int threads):
    """Return the mask of a polygon without vertices on pixels, made by `threads` threads."""
    cdef Py_ssize_t rows = shape[0], cols = shape[1], n = vertices.shape[0], y, count
    cdef unsigned char[:, ::1] mask = np.empty((rows, cols), np.uint8)
    cdef double[:, ::1] memory = np.empty((threads, n))
    cdef double *xs
    for y in prange(rows, nogil=True, schedule="static", num_threads=threads):
        xs = &memory[threadid(), 0]
        count = collect(y, &vertices[0, 0], n, xs)
        fill(xs, count, &mask[y, 0], cols)
    return np.asarray(mask)
