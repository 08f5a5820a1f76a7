# cython: boundscheck=False, wraparound=False
"""The strides of views: predictions, and a function that changes a view in place."""

import numpy as np

# The strides of three views, in bytes. Those of image = np.zeros((4, 6), np.uint8) are (6, 1).
STRIDES = {
    "image.T": (1, 6),
    "image[:, 2:5]": (6, 1),
    "image[::2, ::-1]": (12, -1),
}


def invert(unsigned char[:, :] mask):
    """Exchange 0 and 1 in a mask, in place. It may be a view of a larger image."""
    cdef Py_ssize_t y, x
    for y in range(mask.shape[0]):
        for x in range(mask.shape[1]):
            mask[y, x] ^= 1
