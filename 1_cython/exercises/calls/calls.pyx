"""One function in three ways, and a loop that calls each: what does a call cost?

How many times as fast as sum_def will sum_cdef be?
prediction: ?
"""


def sum_def(long n):
    """The sum of i / 2 for i = 0 .. n - 1; each call is one of Python's."""
    cdef double s = 0
    cdef long i
    for i in range(n):
        s += half_def(i)
    return s


def half_def(double x):
    """Half of x: a function of Python's."""
    return 0.5 * x


cpdef double half_cpdef(double x) noexcept:
    """Half of x: for Python and for C."""
    return 0.5 * x


cdef double half_cdef(double x) noexcept:
    """Half of x: for C only."""
    return 0.5 * x


def sum_cpdef(long n):
    """The same sum, by half_cpdef."""
    cdef double total = 0
    cdef long i
    for i in range(n):
        total += half_cpdef(i)
    return total


def sum_cdef(long n):
    """The same sum, by half_cdef."""
    cdef double total = 0
    cdef long i
    for i in range(n):
        total += half_cdef(i)
    return total
