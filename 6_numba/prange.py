"""The mask with Numba, with its rows distributed to threads.

`prange` declares that the iterations do not depend on each other, and `parallel=True` allows Numba
to distribute them. No compiler flag or `.pyx` file is needed, but Numba chooses the schedule.
"""

import numba
import numpy as np

from ladder.devices import numba_threads
from ladder.numba import njit
from ladder.numba.njit import rule
from polymask import contract

check, threads_used = numba_threads.check, numba_threads.threads_used  # used by the registry


@numba.njit(error_model="numpy", nogil=True, parallel=True)
def fill(mask, vertices, border_value):
    """Fill the mask, with its rows distributed to threads."""
    for y in numba.prange(mask.shape[0]):
        for x in range(mask.shape[1]):
            mask[y, x] = rule(x, y, vertices, border_value)


def make_mask(vertices, shape, border_value=True, *, threads=None):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`.

    `threads` is the number of threads, at most as many as Numba has; None means all of them. A
    single thread needs no team, and a forked process cannot have one: both use the loop of njit.
    """
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.empty((rows, cols), dtype=np.uint8)
    members = threads_used(threads)
    with numba_threads.team(members):
        (fill if members > 1 else njit.fill)(mask, vertices, border_value)
    return mask
