"""Garbage in and around new memory, which reveals unwritten pixels and writes out of bounds."""

import ctypes

import numpy as np

M_PERTURB = -6  # of glibc's mallopt
GARBAGE = 0xA5


def fill_new_arrays(shape):
    """Fill the next arrays of that shape with garbage."""
    perturb(GARBAGE)
    if all(isinstance(n, int) and n >= 0 for n in shape):
        [np.full(shape, GARBAGE, np.uint8) for _ in range(7)]  # all at once, for NumPy's cache


def damage(memory, size, margin):
    """Return writes around `size` bytes behind a margin of garbage: (bytes changed, where)."""
    sides = ("past the end", memory[margin + size :]), ("before the beginning", memory[:margin])
    changes = [(int(np.count_nonzero(side != GARBAGE)), where) for where, side in sides]
    return [change for change in changes if change[0]]


def perturb(byte):
    """Make the C library fill memory with a byte; with 0, threads do no such work any more."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # glibc only
    if mallopt:
        mallopt(M_PERTURB, byte)
