# cython: boundscheck=False, wraparound=False, cdivision=True
"""The scanline algorithm in Cython: scanline.rows with types; no edge costs a call to NumPy.

The toggles are the same bytes in the same places, and the scan is the same exclusive or along one
long line. The loops over the rows of an edge and over the pixels are now written out, and C runs
them.
"""

import numpy as np

from libc.math cimport floor, fmax, fmin
from polymask import contract

cdef extern from "inside_polygon.h" nogil:
    double crossing_x(double y, double x1, double y1, double x2, double y2)


cdef class Image:
    """The pixels of all rows, one row after the other, and one more for a toggle after the last."""

    cdef unsigned char[::1] pixels
    cdef Py_ssize_t rows, cols

    def __cinit__(self, unsigned char[::1] pixels, Py_ssize_t rows, Py_ssize_t cols):
        self.pixels, self.rows, self.cols = pixels, rows, cols

    cdef void toggle(self, double x1, double y1, double x2, double y2) noexcept nogil:
        """Toggle pixel 0 and pixel X + 1 of each row that the edge crosses."""
        # Numbers are limited to the image before they become integers.
        cdef double right = fmin(fmax(x1, x2), self.cols - 1), x
        cdef Py_ssize_t first = <Py_ssize_t>fmin(fmax(floor(fmin(y1, y2)) + 1, 0), self.rows)
        cdef Py_ssize_t last = <Py_ssize_t>fmax(fmin(floor(fmax(y1, y2)), self.rows - 1), -1)
        cdef Py_ssize_t y
        for y in range(first, last + 1):
            x = crossing_x(y, x1, y1, x2, y2)
            x = floor(right if x > right else x)  # the comparison is false for NaN, which stays
            if x >= 0:  # excludes crossings left of the image, and NaN
                self.pixels[y * self.cols] ^= 1
                self.pixels[y * self.cols + <Py_ssize_t>x + 1] ^= 1

    cdef void scan(self) noexcept nogil:
        """Turn each pixel into the parity of the toggles up to it."""
        cdef Py_ssize_t i
        cdef unsigned char parity = 0
        for i in range(self.rows * self.cols):
            parity ^= self.pixels[i]
            self.pixels[i] = parity

    cdef void set_vertex(self, double x, double y, bint border_value) noexcept nogil:
        """Give a vertex on a pixel the border value."""
        if x == floor(x) and y == floor(y) and 0 <= x < self.cols and 0 <= y < self.rows:
            self.pixels[<Py_ssize_t>y * self.cols + <Py_ssize_t>x] = border_value


def make_mask(vertices, shape, border_value=True):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    pixels = np.zeros(rows * cols + 1, dtype=np.uint8)
    cdef const double[:, ::1] v = vertices
    cdef Py_ssize_t i, j, n = v.shape[0]
    cdef Image image = Image(pixels, rows, cols)
    cdef bint border = border_value
    with nogil:
        for i in range(n):
            j = (i + 1) % n  # the last vertex joins the first
            image.toggle(v[i, 0], v[i, 1], v[j, 0], v[j, 1])
        image.scan()
        for i in range(n):
            image.set_vertex(v[i, 0], v[i, 1], border)
    return pixels[: rows * cols].reshape(rows, cols)
