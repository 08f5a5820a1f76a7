"""The mask by Numba, a kernel that fills one row, which NumPy calls for all rows.

A generalized ufunc says in its layout what one call sees: here a number y, all columns, all
vertices. What an argument has more dimensions than that is NumPy's loop. That loop may be shared
among threads, without a word about threads in the kernel.
"""

import functools

import numba
import numpy as np

from polymask import contract
from polymask.devices import numba_threads
from polymask.numba.njit import rule

TYPES = "void(float64, float64[:], float64[:, :], boolean, uint8[:])"
LAYOUT = "(),(cols),(n,xy),()->(cols)"


def fill_row(y, columns, vertices, border_value, row):
    """Fill a row: the kernel."""
    for i in range(len(columns)):
        row[i] = rule(columns[i], y, vertices, border_value)


@functools.cache
def kernel(target):
    """Compile the kernel for a target, "cpu" or "parallel": with types given, that is done here."""
    return numba.guvectorize([TYPES], LAYOUT, target=target)(fill_row)


check = numba_threads.check


def threads_used(target="parallel"):
    """How many threads a call with this target has."""
    return numba_threads.of_target(target)


def make_mask(vertices, shape, border_value=True, *, target="parallel"):
    """Mask of a polygon; see `polymask.python.tuples.make_mask`.

    One option: the `target`, "cpu", one thread, or "parallel". A forked process has one thread.
    """
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    members = threads_used(target)
    mask = np.empty((rows, cols), dtype=np.uint8)
    y, columns = np.arange(rows, dtype=np.float64), np.arange(cols, dtype=np.float64)
    with numba_threads.team(members), np.errstate(all="ignore"):  # huge ones follow IEEE
        kernel("parallel" if members > 1 else "cpu")(y, columns, vertices, border_value, mask)
    return mask
