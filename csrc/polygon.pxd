from libc.stdint cimport uint8_t
from libcpp cimport bool

cdef extern from "polygon.hpp" namespace "polymask" nogil:
    cdef cppclass Polygon:
        Polygon(const double *vertices, ptrdiff_t n) except +
        void fill(uint8_t *mask, ptrdiff_t rows, ptrdiff_t cols, bool border_value)
