cdef extern from "threads.h" nogil:
    const int POLYMASK_OPENMP
    int max_threads()
    int helpers_to_be_had(int wanted)
    void set_max_threads(int threads)
    void set_schedule(int kind, int chunk)
