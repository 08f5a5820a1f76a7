# cython: boundscheck=False, wraparound=False
"""The scanline algorithm on bits, in C++: 64 pixels of a row are one word.

The algorithm is in csrc/scanline_bits.hpp; Cython only checks the arguments and calls it.
"""

import numpy as np

from polymask import contract

cdef extern from "scanline_bits.hpp" namespace "polymask" nogil:
    void scanline_bits(const double *vertices, Py_ssize_t n, Py_ssize_t rows, Py_ssize_t cols,
                       bint border_value, unsigned char *mask) except +


def make_mask(vertices, shape, border_value=True):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.empty((rows, cols), dtype=np.uint8)
    cdef const double[:, ::1] v = vertices
    cdef unsigned char[:, ::1] m = mask
    cdef bint border = border_value
    with nogil:
        scanline_bits(&v[0, 0], v.shape[0], m.shape[0], m.shape[1], border, &m[0, 0])
    return mask
