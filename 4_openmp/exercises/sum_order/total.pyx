# cython: boundscheck=False, wraparound=False, cdivision=True
"""A sum of doubles by threads, with the same bits for every number of threads."""

import numpy as np

from cython.parallel cimport prange


def total(const double[::1] values, int threads):
    """Return the sum of the values; `threads` is the number of threads that share the work."""
    cdef Py_ssize_t block = 4096  # numbers that one thread adds in order
    cdef Py_ssize_t n = values.shape[0], blocks = (n + block - 1) // block, b, i
    cdef double result = 0
    cdef double[::1] parts = np.zeros(blocks)
    for b in prange(blocks, nogil=True, schedule="static", num_threads=threads):
        for i in range(b * block, min(n, (b + 1) * block)):
            parts[b] += values[i]
    for b in range(blocks):
        result += parts[b]
    return result
