"""alpha x + y for each element: one function of three numbers, and two ufuncs made of it."""

import numba

# What is compiled: one loop for numbers in single precision, one for double precision.
TYPES = ["float32(float32, float32, float32)", "float64(float64, float64, float64)"]


def element(alpha, x, y):
    """One element of the result."""
    return alpha * x + y


on_one = numba.vectorize(TYPES, target="cpu")(element)  # a ufunc with one thread
on_all = numba.vectorize(TYPES, target="parallel")(element)  # one whose elements threads share
