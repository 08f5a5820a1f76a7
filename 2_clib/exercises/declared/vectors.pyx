"""Functions of the vector (x, y), computed by the C library.

A variable `result` gets the declared type of the function's result.
"""

cdef extern from "math.h" nogil:
    double hypot(double x, double y)
    double atan2(double y, double x)
    double fmod(double x, double y)


def length(x, y):
    """Return the length of the vector."""
    result = hypot(x, y)
    return result


def angle(x, y):
    """Return its angle with the x axis in radians, from -pi to pi."""
    result = atan2(y, x)
    return result


def column(x, cols):
    """Return the column of x >= 0 in an image of `cols` columns that is repeated to the right."""
    result = fmod(x, cols)
    return result
