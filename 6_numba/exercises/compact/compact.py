"""The pixels of a mask as a list of their numbers, by several threads: count, scan, write.

Stream compaction: what is kept moves together. Where an element goes depends on how many are kept
before it, which is a scan. Three steps make it parallel.
"""

import numba
import numpy as np

CHUNKS = 64  # parts of the mask; threads share them


@numba.njit(parallel=True)
def count(flat):
    """How many pixels are set in each chunk of a mask of one dimension: int64, one per chunk."""
    counts = np.zeros(CHUNKS, np.int64)
    for chunk in numba.prange(CHUNKS):
        first, last = chunk * flat.size // CHUNKS, (chunk + 1) * flat.size // CHUNKS
        for i in range(first, last):
            counts[chunk] += flat[i]
    return counts


def starts(counts):
    """Where each chunk's first pixel goes: the sum of all counts before it (an exclusive scan)."""
    return np.cumsum(counts) - counts


@numba.njit(parallel=True)
def write(flat, begin, out):
    """Write the number of each pixel that is set into `out`, each chunk from its begin on."""
    for chunk in numba.prange(CHUNKS):
        first, last = chunk * flat.size // CHUNKS, (chunk + 1) * flat.size // CHUNKS
        at = begin[chunk]
        for i in range(first, last):
            if flat[i]:
                out[at] = i
                at += 1


def compact(mask):
    """The numbers of the pixels that are set, y * cols + x, ascending: int64; stays as it is."""
    flat = mask.ravel()
    counts = count(flat)
    out = np.empty(counts.sum(), np.int64)
    write(flat, starts(counts), out)
    return out
