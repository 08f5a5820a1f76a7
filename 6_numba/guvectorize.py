"""The mask with Numba: a kernel that fills one row, which NumPy calls for all rows.

The layout of a generalized ufunc declares the arguments of one call: here a number y, all columns
and all vertices. For any further dimensions, NumPy calls a loop around the kernel. Numba compiles
this loop and can distribute it to threads, although the kernel contains no code for threads.
"""

import functools

import numba
import numpy as np

from ladder.devices import numba_threads
from ladder.numba.njit import rule
from polymask import contract

check, threads_used = numba_threads.check, numba_threads.threads_used  # used by the registry

TYPES = "void(float64, float64[:], float64[:, :], boolean, uint8[:])"
LAYOUT = "(),(cols),(n,xy),()->(cols)"


def fill_row(y, columns, vertices, border_value, row):
    """Fill a row (the kernel)."""
    for i in range(len(columns)):
        row[i] = rule(columns[i], y, vertices, border_value)


@functools.cache
def kernel(target):
    """Compile the kernel, at once because its types are given, for "cpu" or "parallel"."""
    return numba.guvectorize([TYPES], LAYOUT, target=target)(fill_row)


def make_mask(vertices, shape, border_value=True, *, target="parallel"):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`.

    `target` is "cpu", with one thread, or "parallel". A forked process always uses one thread.
    """
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.empty((rows, cols), dtype=np.uint8)
    # The length of a row, `cols` in the layout, is taken from an input: hence the columns.
    y, columns = np.arange(rows, dtype=np.float64), np.arange(cols, dtype=np.float64)
    with numba_threads.ufunc(kernel, target) as fill:
        fill(y, columns, vertices, border_value, mask)
    return mask
