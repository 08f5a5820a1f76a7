# cython: boundscheck=False, wraparound=False
"""The scanline algorithm in C++, with its bands distributed to C++ threads.

A band consists of as many rows as fit in the cache at one bit per pixel. Bands do not depend on
each other: each thread computes one band at a time, and needs memory for the bits of only one.
"""

import numpy as np

from engine cimport (
    Output,
    Polygon,
    Rule,
    Work,
    border_of,
    fill_mask,
    grid_of,
    most_threads,
    read_environment,
    view,
)
from polymask import contract


def threads_used(threads=None, **options):
    """Return the maximum number of threads of a call with these options."""
    read_environment()
    return most_threads(contract.check_threads(threads))


def make_mask(vertices, shape, border_value=True, *, threads=None):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`.

    `threads` is the number of threads; None means one per available core.
    """
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.empty((rows, cols), dtype=np.uint8)
    cdef Work work
    work.threads = threads_used(threads)

    cdef const double[:, ::1] v = vertices
    cdef unsigned char[:, ::1] m = mask
    cdef Polygon polygon = view(v, None)  # None: a single ring
    cdef Rule rule
    rule.border = border_of(border_value)
    with nogil:
        fill_mask(polygon, grid_of(m.shape[0], m.shape[1]), &m[0, 0], rule, Output(), work)
    return mask
