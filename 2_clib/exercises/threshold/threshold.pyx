"""The mask of the bright pixels of an image, computed in C."""

import numpy as np

from libc.stdint cimport uint8_t

cdef extern from "at_least.h" nogil:
    void at_least(const double *pixels, ptrdiff_t n, double level, uint8_t *mask)


def threshold(image, double level, out):
    """Write into `out`, uint8, 1 where the image, float64, is at least `level`, and 0 elsewhere."""
    if image.shape != out.shape:
        raise ValueError(f"the image has shape {image.shape}, but out {out.shape}")
    cdef const double[:, ::1] pixels = np.ascontiguousarray(image)
    cdef uint8_t[:, ::1] mask = out
    at_least(&pixels[0, 0], pixels.shape[0] * pixels.shape[1], level, &mask[0, 0])
