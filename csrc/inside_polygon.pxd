cdef extern from "inside_polygon.h" nogil:
    bint inside_polygon(double x, double y, const double *vertices, ptrdiff_t n, bint border_value)
