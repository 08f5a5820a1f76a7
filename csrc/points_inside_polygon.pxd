from libc.stdint cimport uint8_t

cdef extern from "points_inside_polygon.h" nogil:
    void points_inside_polygon(const double *points, ptrdiff_t n_points, const double *vertices,
                               ptrdiff_t n, bint border_value, uint8_t *inside)
