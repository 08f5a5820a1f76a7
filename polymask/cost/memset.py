"""What the rungs are held against: memset of the mask, new or there already."""

import ctypes

import numpy as np

YARDSTICK = {"fresh": "memset_fresh", "out": "memset_warm"}  # where a mask goes, to its memset


class WarmMemset:
    """Fill a mask that is there already with ones."""

    def __init__(self, shape):
        self.mask = np.ones(shape, np.uint8)
        self.address = ctypes.c_void_p(self.mask.ctypes.data)

    def __call__(self):
        """Write every byte."""
        ctypes.memset(self.address, 1, self.mask.nbytes)
        return self.mask


class FreshMemset:
    """Fill a new mask with ones.

    New as NumPy allocates it for the rungs: memory that was freed before comes again, and pages
    that the kernel has to clear only where the allocator gives memory back to it, from some tens
    of MiB on.
    """

    def __init__(self, shape):
        self.shape = shape

    def __call__(self):
        """Allocate, and write every byte."""
        mask = np.empty(self.shape, np.uint8)
        ctypes.memset(ctypes.c_void_p(mask.ctypes.data), 1, mask.nbytes)
        return mask
