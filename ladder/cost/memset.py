"""The yardstick of the rungs: memset of a new or an existing mask."""

import ctypes

import numpy as np

YARDSTICK = {"fresh": "memset_fresh", "out": "memset_warm"}  # the memset for a mask's destination


class WarmMemset:
    """Fill an existing mask with ones."""

    def __init__(self, shape):
        self.mask = np.ones(shape, np.uint8)
        self.address = ctypes.c_void_p(self.mask.ctypes.data)

    def __call__(self):
        """Write every byte."""
        ctypes.memset(self.address, 1, self.mask.nbytes)
        return self.mask


class FreshMemset:
    """Fill a new mask with ones.

    NumPy allocates it as for the rungs: freed memory is reused. The kernel must clear new pages
    only if the allocator has returned the memory to it, which it does from some tens of MiB on.
    """

    def __init__(self, shape):
        self.shape = shape

    def __call__(self):
        """Allocate the mask, and write every byte."""
        mask = np.empty(self.shape, np.uint8)
        ctypes.memset(ctypes.c_void_p(mask.ctypes.data), 1, mask.nbytes)
        return mask
