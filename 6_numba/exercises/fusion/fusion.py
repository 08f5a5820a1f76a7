"""Blend two images: with NumPy in four passes over memory, and with one loop that Numba compiles.

A pixel of the result is a + t (b - a), at least 0 and at most 1.
"""

import numba
import numpy as np

# How many arrays, each as large as an image, are read and written for one result? Count each array
# once for each operation that reads it, and once for each that writes it.
BY_NUMPY = 10
BY_ONE_LOOP = 3


def passes(a, b, t):
    """Blend the images a and b, float64, (rows, cols), with NumPy. Do not change this function."""
    difference = b - a
    step = t * difference
    moved = a + step
    return np.clip(moved, 0.0, 1.0)


@numba.njit
def fused(a, b, t):
    """Return the same result, bit for bit, in one pass, with no array besides the result."""
    out = np.empty_like(a)
    for y in range(a.shape[0]):
        for x in range(a.shape[1]):
            out[y, x] = min(max(a[y, x] + t * (b[y, x] - a[y, x]), 0.0), 1.0)
    return out
