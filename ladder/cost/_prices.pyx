# cython: boundscheck=False, wraparound=False
"""Operations in C for `ladder.cost.prices`: each function repeats one operation `count` times."""

from ladder.devices.openmp import threads_used


cdef extern from "prices.h" nogil:
    int vector_lanes()
    void do_multiply "multiply"(ptrdiff_t count, int lanes)
    void do_divide "divide"(ptrdiff_t count, int lanes)
    void start_team(int threads)


LANES = vector_lanes()  # doubles in a vector register


def multiply(Py_ssize_t count, int lanes):
    """Multiply doubles, `lanes` at a time: 1 or LANES."""
    do_multiply(count, lanes)


def divide(Py_ssize_t count, int lanes):
    """Divide doubles, `lanes` at a time: 1 or LANES."""
    do_divide(count, lanes)


def subtract_objects(Py_ssize_t count, a, b):
    """Subtract two Python numbers, as cython.compiled does."""
    cdef Py_ssize_t i
    for i in range(count):
        a - b


def convert(double x, double y, vertices, bint border_value):
    """Convert arguments and result as cython.typed's inside_polygon does, except the buffer."""
    return border_value


def call(Py_ssize_t count, vertices, bint border_value):
    """Call a compiled function as Python does: numbers become objects, and numbers again."""
    cdef Py_ssize_t x
    for x in range(count):
        convert(x, x, vertices, border_value)


def buffer(Py_ssize_t count, array):
    """Acquire an array's buffer as a memoryview, and release it."""
    cdef const double[:, ::1] vertices
    cdef Py_ssize_t i
    for i in range(count):
        vertices = array


def team(Py_ssize_t count):
    """Start a team of threads without work, and wait for its end."""
    cdef Py_ssize_t i
    cdef int threads = threads_used()
    for i in range(count):
        start_team(threads)
