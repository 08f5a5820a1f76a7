"""The mask by Numba, its rows shared among threads.

`prange` says that the iterations do not depend on each other, and `parallel=True` that they may be
shared. No flag of a compiler, no `.pyx`: but who shares the rows, and how, is Numba's to say.
"""

import numba
import numpy as np

from polymask import contract
from polymask.devices import numba_threads
from polymask.numba import njit
from polymask.numba.njit import rule

check, threads_used = numba_threads.check, numba_threads.threads_used


@numba.njit(error_model="numpy", nogil=True, parallel=True)
def fill(mask, vertices, border_value):
    """Fill the mask, its rows shared among the threads of a team."""
    for y in numba.prange(mask.shape[0]):
        for x in range(mask.shape[1]):
            mask[y, x] = rule(x, y, vertices, border_value)


def make_mask(vertices, shape, border_value=True, *, threads=None):
    """Mask of a polygon; see `polymask.python.tuples.make_mask`.

    One option: the number of `threads`, as many as Numba has if None, and never more than those.
    One thread alone needs no team, nor may a forked process have one: it takes the loop of njit.
    """
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.empty((rows, cols), dtype=np.uint8)
    members = threads_used(threads)
    with numba_threads.team(members):
        (fill if members > 1 else njit.fill)(mask, vertices, border_value)
    return mask
