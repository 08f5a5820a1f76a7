# cython: boundscheck=False, wraparound=False
"""The C++ engine for `polymask.masks.polygon`, called with checked arguments.

This module contains only what must be compiled; the GIL is released during work on pixels and
points.
"""

import os
import sys

from cpython.buffer cimport PyBUF_STRIDES, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.float cimport DBL_MAX
from libc.math cimport isinf
from libc.stdint cimport INT64_MAX, int64_t, uint8_t

from numpy import empty, float64, ndarray, uint8, zeros

from polymask.forms.geometry import FARTHEST, MOST_VERTICES
from polymask.masks.sampling import DEFAULT

from engine cimport (
    Box, Extent, Output, Polygon, Rule, Work, are_within, available_instruction_sets,
    bounding_box_unchecked, box_within, choose, cpu_quota as quota_below, describe, fill_read,
    fill_squares, grid_of, memory_limit as limit_below, name, polygon_view, read_environment,
    test_points, view,
)
from pairs cimport copy_of_pairs, has_form
from sampling cimport Sampling, set_sampling


# A new mask starts from pages that the kernel has zeroed if it is large, or if the polygon's box is
# at most 1/PART_OF_BOX of it. Otherwise it would be zeroed twice (np.zeros of 1 MiB takes as long
# as filling it with a polygon of the whole image); for a few pages, it makes no difference.
cdef Py_ssize_t ALWAYS_ZEROED = 32 << 20, NEVER_ZEROED = 64 << 10, PART_OF_BOX = 8
cdef double farthest = 2.0**FARTHEST
cdef Py_ssize_t most_vertices = MOST_VERTICES, most = sys.maxsize


def mask(const double[:, ::1] vertices not None, const int64_t[::1] starts, out, dtype,
         Py_ssize_t rows, Py_ssize_t cols, bint packed, sampling, int64_t[::1] dirty=None):
    """Fill the mask of a polygon, bytes or packed bits, and return it; of squares, bytes.

    The mask has at least one sample. `out` has the right shape and contiguous rows, or is None for
    a new array of that dtype. If the vertices are not computable, nothing is written, and the
    result is None. `dirty` is the engine's option, a Box.
    """
    return fill(view(vertices, starts), out, dtype, rows, cols, packed, sampling, dirty)


def mask_of_pairs(polygon, shape, out, dtype, bint packed, sampling, int64_t[::1] dirty=None):
    """Do the same for unchecked arguments in their most frequent forms (see `copy_of_pairs`).

    The result is None for any other form, and for invalid arguments.
    """
    cdef Py_ssize_t rows, cols
    try:
        rows, cols = <tuple?> shape
    except (TypeError, ValueError, OverflowError):
        return None
    if rows <= 0 or cols <= 0 or rows > most // cols:
        return None
    cdef Py_ssize_t row_bytes = cols // 8 + (cols % 8 != 0) if packed else cols
    if out is not None and not has_form(out, dtype, rows, row_bytes, ndarray):
        return None
    vertices = copy_of_pairs(polygon, ndarray, float64)
    if vertices is None or not 3 <= len(vertices) // 16 <= most_vertices:
        return None
    return fill(polygon_of(vertices), out, dtype, rows, cols, packed, sampling, dirty)


cdef fill(Polygon polygon, out, dtype, Py_ssize_t rows, Py_ssize_t cols, bint packed, sampling,
          int64_t[::1] dirty):
    cdef Extent extent
    if not are_within(polygon, farthest, extent):
        return None
    cdef Sampling of
    cdef Output output
    cdef bint by_squares = False
    of.grid = grid_of(rows, cols)
    if sampling is not DEFAULT:
        set_sampling(of, sampling)
        by_squares = sampling.squares is not None
    cdef Py_ssize_t row_bytes = cols // 8 + (cols % 8 != 0) if packed else cols
    cdef Box box
    if out is None:
        if rows * row_bytes > ALWAYS_ZEROED:
            output.out_is_zero = True
        elif rows * row_bytes >= NEVER_ZEROED:
            box = box_within(extent, of.grid, by_squares)
            output.out_is_zero = box.rows() * box.cols() <= rows * cols // PART_OF_BOX
        out = (zeros if output.out_is_zero else empty)((rows, row_bytes), dtype)
    cdef Py_buffer bytes_of_out  # a memoryview would check its type, any of one byte
    PyObject_GetBuffer(out, &bytes_of_out, PyBUF_WRITABLE | PyBUF_STRIDES)
    if dirty is not None:
        output.dirty = <Box *> &dirty[0]
    if rows > 1:
        output.row_stride = bytes_of_out.strides[0]
    read_environment()
    try:
        with nogil:
            if by_squares:
                fill_squares(polygon, of.grid, <uint8_t *> bytes_of_out.buf, of.selection, output)
            else:
                fill_read(polygon, extent, of.grid, <uint8_t *> bytes_of_out.buf, packed, of.rule,
                          output, of.work)
    finally:
        PyBuffer_Release(&bytes_of_out)
    return out


cdef inline Polygon polygon_of(bytes vertices) noexcept:
    return polygon_view(<const double *> <const char *> vertices, len(vertices) // 16, NULL, 0)


def bounding_box(const double[:, ::1] vertices not None, const int64_t[::1] starts,
                 Py_ssize_t rows, Py_ssize_t cols, sampling):
    """Return the top, bottom, left and right of the box outside which the mask is 0."""
    cdef Polygon polygon = view(vertices, starts)
    cdef Sampling of
    of.grid = grid_of(rows, cols)
    set_sampling(of, sampling)
    cdef Box box
    with nogil:
        box = bounding_box_unchecked(polygon, of.grid, of.selection)
    return box.top, box.bottom, box.left, box.right


def contains(const double[:, ::1] vertices not None, const int64_t[::1] starts,
             const double[:, ::1] points not None, uint8_t[::1] out not None, sampling):
    """Test one or more points by the same rule."""
    cdef Polygon polygon = view(vertices, starts)
    cdef Sampling of
    set_sampling(of, sampling)
    read_environment()
    with nogil:
        test_points(polygon, &points[0, 0], points.shape[0], &out[0], of.rule, of.work)


def contains_pairs(polygon, points):
    """Do the same for unchecked arguments and default options; None as for `mask_of_pairs`."""
    vertices = copy_of_pairs(polygon, ndarray, float64)
    places = copy_of_pairs(points, ndarray, float64)
    if not vertices or not places or not 3 <= len(vertices) // 16 <= most_vertices:
        return None
    cdef Polygon ring = polygon_of(vertices), dots = polygon_of(places)
    cdef Extent of_ring, of_dots
    if not are_within(ring, farthest, of_ring) or not are_within(dots, DBL_MAX, of_dots):
        return None
    inside = empty(len(places) // 16, uint8)
    cdef uint8_t[::1] out = inside
    cdef const double *first = <const double *> <const char *> places
    read_environment()
    with nogil:
        test_points(ring, first, out.shape[0], &out[0], Rule(), Work())
    return inside.view(bool)


def instruction_sets():
    """Return the names of the instruction sets that this processor supports, widest first."""
    return [name(instructions).decode() for instructions in available_instruction_sets()]


def choice(const double[:, ::1] vertices not None, Py_ssize_t rows, Py_ssize_t cols):
    """Describe the engine's choices for the mask of a polygon in one line."""
    cdef const int64_t[::1] no_starts = None
    cdef Polygon polygon = view(vertices, no_starts)
    read_environment()
    return describe(choose(polygon, grid_of(rows, cols), Output(), Work())).decode()


def cpu_quota(root=""):
    """Return the number of cores of the container's CPU quota, or None; `root` is for tests."""
    cdef double cores = quota_below(<bytes> os.fsencode(root))
    return None if isinf(cores) else cores


def memory_limit(root=""):
    """Return the bytes of memory that the container may use, or None; `root` is for tests."""
    cdef int64_t limit = limit_below(<bytes> os.fsencode(root))
    return None if limit == INT64_MAX else limit
