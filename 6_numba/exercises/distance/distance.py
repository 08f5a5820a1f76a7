"""Distances between points, a row each: with arrays, by loops, and by a kernel.

Each of the three functions takes two arrays of shape (n, d), of one type, whole numbers or real
ones, and returns n distances (the root of the sum of squared differences), float64. Each keeps to
the precision of float64 from the first difference on.
"""

import math

import numba
import numpy as np
from numba import cuda

THREADS = 32  # of a block


def by_arrays(a, b):
    """Array style: each operation is done for all numbers, and makes an array."""
    return np.sqrt(((a.astype(np.float64) - b) ** 2).sum(axis=1))


@numba.njit
def by_loops(a, b):
    """Loop style: one point after the other, without an array in between."""
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
    """Kernel style: what one thread does, for its own point."""
    i = cuda.grid(1)
    if i < out.size:
        total = 0.0
        for j in range(a.shape[1]):
            difference = np.float64(a[i, j]) - np.float64(b[i, j])
            total += difference * difference
        out[i] = math.sqrt(total)


def by_kernel(a, b):
    """Launch the kernel, one thread for each point; this function stays as it is."""
    out = np.empty(len(a))
    blocks = -(-len(a) // THREADS)
    one_distance[blocks, THREADS](a, b, out)
    return out
