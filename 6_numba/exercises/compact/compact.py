"""List the numbers of the set pixels of a mask, with several threads: count, scan, write.

Stream compaction moves the kept elements together. The place of an element depends on the number
of kept elements before it, which is a scan. Three steps make it parallel.
"""

import numba
import numpy as np

CHUNKS = 64  # parts of the mask; threads share them


@numba.njit(parallel=True)
def count(flat):
    """Return the number of set pixels in each chunk of a mask of one dimension, int64."""
    counts = np.zeros(CHUNKS, np.int64)
    for chunk in numba.prange(CHUNKS):
        first, last = chunk * flat.size // CHUNKS, (chunk + 1) * flat.size // CHUNKS
        for i in range(first, last):
            counts[chunk] += flat[i]
    return counts


def starts(counts):
    """Return the place of each chunk's first pixel: the sum of all counts before it (a scan)."""
    return np.cumsum(counts) - counts


@numba.njit(parallel=True)
def write(flat, begin, out):
    """Write the number of each set pixel into `out`, each chunk from its `begin` on."""
    for chunk in numba.prange(CHUNKS):
        first, last = chunk * flat.size // CHUNKS, (chunk + 1) * flat.size // CHUNKS
        at = begin[chunk]
        for i in range(first, last):
            if flat[i]:
                out[at] = i
                at += 1


def compact(mask):
    """Return the numbers of the set pixels, y * cols + x, ascending. Do not change this."""
    flat = mask.ravel()
    counts = count(flat)
    out = np.empty(counts.sum(), np.int64)
    write(flat, starts(counts), out)
    return out
