from libc.stdint cimport uint8_t

cdef extern from "rule_simd.h" nogil:
    void inside_polygon_row(double y, ptrdiff_t cols, const double *vertices, ptrdiff_t n,
                            bint border_value, uint8_t *row)
