# cython: boundscheck=False, wraparound=False
"""What the prices of `polymask.cost.prices` need in C: each function does one thing `count` times."""

from polymask.devices.openmp import threads_used


cdef extern from "prices.h" nogil:
    int vector_lanes()
    void do_multiply "multiply"(ptrdiff_t count, int lanes)
    void do_divide "divide"(ptrdiff_t count, int lanes)
    void start_team(int threads)


LANES = vector_lanes()  # doubles in a vector register


def multiply(Py_ssize_t count, int lanes):
    """Multiply doubles, so many side by side: 1 or LANES."""
    do_multiply(count, lanes)


def divide(Py_ssize_t count, int lanes):
    """Divide doubles, so many side by side: 1 or LANES."""
    do_divide(count, lanes)


def subtract_objects(Py_ssize_t count, a, b):
    """Subtract two numbers of Python, as cython.compiled does it."""
    cdef Py_ssize_t i
    for i in range(count):
        a - b


def answer(double x, double y, vertices, bint border_value):
    """Take and give what cython.typed's inside_polygon does, but for the buffer."""
    return border_value


def call(Py_ssize_t count, vertices, bint border_value):
    """Call a compiled function the way Python does: arguments become objects, and numbers again."""
    cdef Py_ssize_t x
    for x in range(count):
        answer(x, x, vertices, border_value)


def buffer(Py_ssize_t count, array):
    """Take an array's buffer as a memoryview, and give it back."""
    cdef const double[:, ::1] vertices
    cdef Py_ssize_t i
    for i in range(count):
        vertices = array


def team(Py_ssize_t count):
    """Start a team of threads that have nothing to do, and wait for its end."""
    cdef Py_ssize_t i
    cdef int threads = threads_used()
    for i in range(count):
        start_team(threads)
