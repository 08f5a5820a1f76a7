# cython: boundscheck=False, wraparound=False
"""The scanline algorithm in C++, its bands shared among threads by OpenMP.

A band is so many rows that its bits fit the cache. Bands do not depend on each other, and each
thread has the bits of one: so the unit of work is the unit of memory.
"""

import numpy as np

from engine cimport Options, Polygon, Status, fill_mask_unchecked, polygon_view
from polymask import contract
from threads cimport POLYMASK_OPENMP, max_threads

OPENMP = POLYMASK_OPENMP  # year and month of the OpenMP specification, 0 where there is none


def check():
    """Refuse to pass one thread for many."""
    if not OPENMP:
        raise contract.Unavailable("built without OpenMP", "install libgomp or libomp, then build")


def threads_used(threads=None, **options):
    """How many threads a call with these options has."""
    return contract.check_threads(threads) or max_threads()


def make_mask(vertices, shape, border_value=True, *, threads=None):
    """Mask of a polygon; see `polymask.python.tuples.make_mask`.

    One option: the number of `threads`, as many as there are cores to use if None.
    """
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.empty((rows, cols), dtype=np.uint8)
    if mask.size == 0:
        return mask  # no first element to take the address of

    cdef const double[:, ::1] v = vertices
    cdef unsigned char[:, ::1] m = mask
    cdef Polygon polygon = polygon_view(&v[0, 0], v.shape[0], NULL, 0)
    cdef Options options
    cdef Status status
    options.border_value = border_value
    options.threads = threads_used(threads)
    with nogil:
        status = fill_mask_unchecked(polygon, m.shape[0], m.shape[1], &m[0, 0], options)
    if status != Status.ok:
        raise MemoryError("no memory for the engine's bits and edges, or a bad POLYMASK_ISA")
    return mask
