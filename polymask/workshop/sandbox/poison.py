"""Fills fresh memory with rubbish, so that a pixel that nobody wrote shows."""

import ctypes

import numpy as np

M_PERTURB = -6  # of glibc's mallopt
RUBBISH = 0xA5


def memory(shape):
    """Let the next arrays of that shape be full of rubbish."""
    perturb(RUBBISH)
    if all(isinstance(n, int) and n >= 0 for n in shape):
        for _ in range(3):
            np.full(shape, RUBBISH, np.uint8)  # small arrays come from NumPy's own store


def off():
    """Fill no more: the thread that asks for memory is kept busy by it, as if it did the work."""
    perturb(0)


def perturb(byte):
    """Let the C library fill memory with a byte; with 0 it fills none."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # not everywhere
    if mallopt:
        mallopt(M_PERTURB, byte)
