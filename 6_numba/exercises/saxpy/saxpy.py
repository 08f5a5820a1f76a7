"""alpha x + y for each element: a function of three numbers, and two ufuncs from it."""

import numba

# The compiled loops: one for single precision, one for double precision.
TYPES = ["float32(float32, float32, float32)", "float64(float64, float64, float64)"]


def element(alpha, x, y):
    """Return one element of the result."""
    return alpha * x + y


on_one = numba.vectorize(TYPES, target="cpu")(element)  # a ufunc with one thread
on_all = numba.vectorize(TYPES, target="parallel")(element)  # a ufunc with several threads
