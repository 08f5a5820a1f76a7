cdef extern from "threads.h" nogil:
    const int POLYMASK_OPENMP
    int max_threads()
    int startable_threads(int number)
    void set_max_threads(int threads)
    void set_schedule(int kind, int chunk)
