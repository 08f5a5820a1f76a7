"""The mask by Numba, a ufunc of the whole image for each edge.

Where python.vectorized passes over the image once for each operator, some twenty times an edge,
this passes once: all that is asked of a pixel and an edge is one function, and NumPy's loop over
the pixels has it inlined. What it cannot do is keep a pixel in a register from edge to edge.
"""

import functools

import numba
import numpy as np

from polymask import contract
from polymask.devices import numba_threads

VERTEX = 2  # the state of a pixel that is a vertex; others are 0 outside, 1 inside
TYPES = "uint8(uint8, float64, float64, float64, float64, float64, float64)"


def visit(state, x, y, x1, y1, x2, y2):
    """Return the state of a pixel after one more edge: the kernel."""
    if state == VERTEX or (x == x1 and y == y1):
        return VERTEX
    # half open in y, so that a vertex between two edges is crossed once
    if y > min(y1, y2) and y <= max(y1, y2) and x <= max(x1, x2) and y1 != y2:
        if x1 == x2 or x <= (y - y1) * (x2 - x1) / (y2 - y1) + x1:
            return 1 - state
    return state


@functools.cache
def kernel(target):
    """Compile the kernel for a target, "cpu" or "parallel": with types given, that is done here."""
    return numba.vectorize([TYPES], target=target)(visit)


check = numba_threads.check


def threads_used(target="cpu"):
    """How many threads a call with this target has."""
    return numba_threads.of_target(target)


def make_mask(vertices, shape, border_value=True, *, target="cpu"):
    """Mask of a polygon; see `polymask.python.tuples.make_mask`.

    One option: the `target`, "cpu", one thread, or "parallel". A forked process has one thread.
    """
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    members = threads_used(target)
    mask = np.zeros((rows, cols), dtype=np.uint8)
    y, x = np.ogrid[:rows, :cols]
    y, x = y.astype(np.float64), x.astype(np.float64)
    with numba_threads.team(members), np.errstate(all="ignore"):  # huge ones follow IEEE
        ufunc = kernel("parallel" if members > 1 else "cpu")
        for (x1, y1), (x2, y2) in zip(vertices, np.roll(vertices, -1, axis=0), strict=True):
            ufunc(mask, x, y, x1, y1, x2, y2, out=mask)
    mask[mask == VERTEX] = border_value
    return mask
