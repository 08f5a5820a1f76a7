cdef extern from "prices.h" nogil:
    int vector_lanes()
    void multiply(ptrdiff_t count, int lanes)
    void divide(ptrdiff_t count, int lanes)
    void start_team(int threads)
