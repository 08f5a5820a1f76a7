# cython: boundscheck=False, wraparound=False
"""The scanline algorithm in C++ with one thread: a wrapper of the engine in csrc/engine.

The engine steps along each edge from row to row to compute its crossings, fills the bits between
crossings by a prefix XOR of 64-bit words, and writes the mask once: see csrc/engine/README.md.
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
    read_environment,
    view,
)
from polymask import contract


def make_mask(vertices, shape, border_value=True):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.empty((rows, cols), dtype=np.uint8)

    cdef const double[:, ::1] v = vertices
    cdef unsigned char[:, ::1] m = mask
    cdef Polygon polygon = view(v, None)  # None: a single ring
    cdef Rule rule
    rule.border = border_of(border_value)
    cdef Work work
    work.threads = 1
    read_environment()  # such as POLYMASK_ISA: see polymask.hpp
    with nogil:
        fill_mask(polygon, grid_of(m.shape[0], m.shape[1]), &m[0, 0], rule, Output(), work)
    return mask
