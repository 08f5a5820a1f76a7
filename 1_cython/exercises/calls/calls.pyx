"""The cost of a call: one function in three versions, and a loop that calls each.

How many times as fast as sum_def will sum_cdef be, for n = 20,000?
prediction: ?
"""


def sum_def(long n):
    """Return the sum of i / 2 for i = 0 .. n - 1; each call is a Python call."""
    cdef double s = 0
    cdef long i
    for i in range(n):
        s += half_def(i)
    return s


def half_def(double x):
    """Return half of x: a Python function."""
    return 0.5 * x


cpdef double half_cpdef(double x) noexcept:
    """Return half of x: for Python and for C."""
    return 0.5 * x


cdef double half_cdef(double x) noexcept:
    """Return half of x: for C only."""
    return 0.5 * x


def sum_cpdef(long n):
    """Return the same sum, with half_cpdef."""
    cdef double total = 0
    cdef long i
    for i in range(n):
        total += half_cpdef(i)
    return total


def sum_cdef(long n):
    """Return the same sum, with half_cdef."""
    cdef double total = 0
    cdef long i
    for i in range(n):
        total += half_cdef(i)
    return total
