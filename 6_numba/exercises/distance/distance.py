"""Distances between points, one point per row: with arrays, with loops, and with a kernel.

Each of the three functions takes two arrays of shape (n, d) and of one type, integers or floats. It
returns n distances (the root of the sum of squared differences), float64, and computes in float64
from the first difference on.
"""

import math

import numba
import numpy as np
from numba import cuda

THREADS = 32  # per block


def by_arrays(a, b):
    """Compute the distances in array style: each operation on all numbers creates an array."""
    return np.sqrt(((a.astype(np.float64) - b) ** 2).sum(axis=1))


@numba.njit
def by_loops(a, b):
    """Compute the distances in loop style: point by point, without an intermediate array."""
    out = np.empty(len(a))
    for i in range(len(a)):
        total = 0.0
        for j in range(a.shape[1]):
            difference = np.float64(a[i, j]) - np.float64(b[i, j])
            total += difference * difference
        out[i] = math.sqrt(total)
    return out


@cuda.jit
def one_distance(a, b, out):
    """Compute one distance in kernel style: the work of one thread, for its own point."""
    i = cuda.grid(1)
    if i < out.size:
        total = 0.0
        for j in range(a.shape[1]):
            difference = np.float64(a[i, j]) - np.float64(b[i, j])
            total += difference * difference
        out[i] = math.sqrt(total)


def by_kernel(a, b):
    """Launch the kernel with one thread per point. Do not change this function."""
    out = np.empty(len(a))
    blocks = -(-len(a) // THREADS)
    one_distance[blocks, THREADS](a, b, out)
    return out
