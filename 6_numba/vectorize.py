"""The mask with Numba: one call to a ufunc per edge, for the whole image.

python.vectorized passes over the image once per operator, 16 times per edge. This module passes
over it once per edge: one function evaluates an edge for a pixel. Numba inlines it in a loop over
pixels, which NumPy calls. It cannot keep a pixel in a register from edge to edge, however.
"""

import functools

import numba
import numpy as np

from ladder.devices import numba_threads
from polymask import contract

check, threads_used = numba_threads.check, numba_threads.threads_used  # used by the registry

VERTEX = 2  # the state of a pixel on a vertex; other states are 0 outside and 1 inside
TYPES = "uint8(uint8, float64, float64, float64, float64, float64, float64)"


def visit(state, x, y, x1, y1, x2, y2):
    """Return the state of a pixel after one more edge (the kernel)."""
    if state == VERTEX or (x == x1 and y == y1):
        return VERTEX
    # half open in y, so that a vertex between two edges is crossed once
    if y > min(y1, y2) and y <= max(y1, y2) and x <= max(x1, x2) and y1 != y2:
        if x1 == x2 or x <= (y - y1) * (x2 - x1) / (y2 - y1) + x1:
            return 1 - state
    return state


@functools.cache
def kernel(target):
    """Compile the kernel, at once because its types are given, for "cpu" or "parallel"."""
    return numba.vectorize([TYPES], target=target)(visit)


def make_mask(vertices, shape, border_value=True, *, target="cpu"):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`.

    `target` is "cpu", with one thread, or "parallel". A forked process always uses one thread.
    """
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.zeros((rows, cols), dtype=np.uint8)
    y, x = np.ogrid[0.0:rows, 0.0:cols]  # a column and a row, which NumPy broadcasts
    with numba_threads.ufunc(kernel, target) as ufunc:
        for (x1, y1), (x2, y2) in zip(vertices, np.roll(vertices, -1, axis=0), strict=True):
            ufunc(mask, x, y, x1, y1, x2, y2, out=mask)
    mask[mask == VERTEX] = border_value
    return mask
