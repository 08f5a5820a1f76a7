# cython: boundscheck=False, wraparound=False
"""Fractions of pixels by the C++ engine, called with checked arguments."""

from libc.stdint cimport int64_t
from libcpp.vector cimport vector

from coverage cimport add_cover, cover, turns
from engine cimport Grid, Polygon, read_environment, view
from interruption cimport Signals
from polymask.contract import BadSetting


cdef Grid grid_of(shape, bint center, offset) except *:
    cdef Grid grid
    grid.shape.rows, grid.shape.cols = shape
    grid.center = center
    grid.row_offset, grid.column_offset = offset
    return grid


def fill(const double[:, ::1] vertices not None, const int64_t[::1] starts,
         float[:, ::1] out not None, int subpixels, bint center, offset, bint out_is_zero):
    """Fill `out`, which is not empty, with areas, or with shares of samples if `subpixels` > 0."""
    cdef Polygon polygon = view(vertices, starts)
    cdef Grid grid = grid_of((out.shape[0], out.shape[1]), center, offset)
    cdef Signals signals
    signals.heed()
    read_environment()
    try:
        with nogil:
            cover(polygon, grid, subpixels, &out[0, 0], out_is_zero)
    except RuntimeError as error:
        raise BadSetting(str(error)) from None


def add(const double[:, ::1] vertices not None, const int64_t[::1] starts,
        double[:, ::1] out not None, bint center, offset):
    """Add areas, without rounding them, to `out`, which is not empty."""
    cdef Polygon polygon = view(vertices, starts)
    cdef Grid grid = grid_of((out.shape[0], out.shape[1]), center, offset)
    cdef Signals signals
    signals.heed()
    read_environment()
    try:
        with nogil:
            add_cover(polygon, grid, &out[0, 0])
    except RuntimeError as error:
        raise BadSetting(str(error)) from None


def orientations(const double[:, ::1] vertices not None, const int64_t[::1] starts):
    """Return 1 or -1 for each ring: whether its direction is that of holes or of outer rings."""
    cdef Polygon polygon = view(vertices, starts)
    cdef Signals signals
    signals.heed()
    cdef vector[int] factors
    with nogil:
        factors = turns(polygon)
    return factors
