# cython: boundscheck=False, wraparound=False
"""The mask with a C++ class: the loop over the pixels is now in C++, and Cython only wraps it.

The C++ object owns a copy of the vertices. The extension object owns the C++ object and deletes
it. `except +` in polygon.pxd converts a C++ exception in the constructor to a Python exception.
"""

import numpy as np

from polygon cimport Polygon as CppPolygon
from polymask import contract


cdef class Polygon:
    """Owner of a polymask::Polygon."""

    cdef CppPolygon *polygon

    def __cinit__(self, vertices):
        cdef const double[:, ::1] v = contract.check_vertices(vertices)
        self.polygon = new CppPolygon(&v[0, 0], v.shape[0])

    def __dealloc__(self):
        del self.polygon


def make_mask(vertices, shape, border_value=True):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.empty((rows, cols), dtype=np.uint8)

    cdef Polygon owner = Polygon(vertices)
    cdef unsigned char[:, ::1] m = mask
    cdef bint border = border_value
    with nogil:
        owner.polygon.fill(&m[0, 0], m.shape[0], m.shape[1], border)
    return mask
