"""A matrix product on a GPU: one thread for each element, and the index of that thread."""

import numpy as np
from numba import cuda

BLOCK = 4, 2  # threads of a block, along x and along y


@cuda.jit
def product(a, b, c):
    """Compute the element of this thread in c = a b. All matrices are square."""
    col = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    row = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    if row < c.shape[0] and col < c.shape[1]:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[row, k] * b[k, col]
        c[row, col] = total


def who(row, col):
    """Return the thread of c[row, col]: (blockIdx.x, blockIdx.y, threadIdx.x, threadIdx.y)."""
    return col // BLOCK[0], row // BLOCK[1], col % BLOCK[0], row % BLOCK[1]


def multiply(a, b):
    """Multiply two square matrices, float64. Do not change this function."""
    n = len(a)
    c = np.full((n, n), np.nan)
    blocks = -(-n // BLOCK[0]), -(-n // BLOCK[1])
    product[blocks, BLOCK](a, b, c)
    return c
