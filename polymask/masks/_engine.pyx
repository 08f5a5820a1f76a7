# cython: boundscheck=False, wraparound=False
"""The C++ engine for `polymask.masks.polygon`, called with checked arguments.

This module contains only what must be compiled; the GIL is released during work on pixels and
points.
"""

import os

from cpython.buffer cimport PyBUF_STRIDES, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.math cimport fabs, isinf
from libc.stdint cimport INT64_MAX, int64_t, uint8_t

from numpy import empty, zeros

from polymask.forms.geometry import FARTHEST

from engine cimport (
    Box,
    Output,
    Polygon,
    Work,
    available_instruction_sets,
    bounding_box_unchecked,
    choose,
    cpu_quota as quota_below,
    describe,
    fill_mask,
    fill_packed,
    grid_of,
    memory_limit as limit_below,
    name,
    read_environment,
    test_points,
    view,
)
from sampling cimport Sampling, set_sampling


# A new mask starts from pages that the kernel has zeroed if it is large, or if the polygon's box is
# at most 1/PART_OF_BOX of it. Otherwise it would be zeroed twice (np.zeros of 1 MiB takes as long
# as filling it with a polygon of the whole image); for a few pages, it makes no difference.
cdef Py_ssize_t ALWAYS_ZEROED = 32 << 20, NEVER_ZEROED = 64 << 10
cdef int64_t PART_OF_BOX = 8
cdef double farthest = 2.0**FARTHEST


def mask(const double[:, ::1] vertices not None, const int64_t[::1] starts, out, dtype,
         Py_ssize_t rows, Py_ssize_t cols, bint packed, sampling,
         bint is_checked=True):
    """Fill the mask of a polygon, bytes or packed bits, and return it.

    The mask has at least one sample. `out` has the right shape and contiguous rows, or is None for
    a new array of that dtype. Vertices of a single array come without `is_checked`: if they are not
    computable, nothing is written, and the result is None.
    """
    if not is_checked and not are_computable(vertices):
        return None
    cdef Polygon polygon = view(vertices, starts)
    cdef Sampling of
    set_sampling(of, rows, cols, sampling)
    cdef Output output
    cdef Py_ssize_t row_bytes = (cols + 7) // 8 if packed else cols
    cdef Box box
    if out is None:
        if rows * row_bytes > ALWAYS_ZEROED:
            output.out_is_zero = True
        elif rows * row_bytes >= NEVER_ZEROED:
            box = bounding_box_unchecked(polygon, of.grid)
            output.out_is_zero = box.rows() * box.cols() <= rows * cols // PART_OF_BOX
        out = (zeros if output.out_is_zero else empty)((rows, row_bytes), dtype)
    cdef Py_buffer bytes_of_out  # a memoryview would check its type, any of one byte
    PyObject_GetBuffer(out, &bytes_of_out, PyBUF_WRITABLE | PyBUF_STRIDES)
    if rows > 1:
        output.row_stride = bytes_of_out.strides[0]
    read_environment()
    try:
        with nogil:
            if packed:
                fill_packed(polygon, of.grid, <uint8_t *> bytes_of_out.buf, of.rule, output,
                            of.work)
            else:
                fill_mask(polygon, of.grid, <uint8_t *> bytes_of_out.buf, of.rule, output, of.work)
    finally:
        PyBuffer_Release(&bytes_of_out)
    return out


def bounding_box(const double[:, ::1] vertices not None, const int64_t[::1] starts,
                 Py_ssize_t rows, Py_ssize_t cols, sampling):
    """Return the top, bottom, left and right of the box outside which the mask is 0."""
    cdef Polygon polygon = view(vertices, starts)
    cdef Sampling of
    set_sampling(of, rows, cols, sampling)
    cdef Box box
    with nogil:
        box = bounding_box_unchecked(polygon, of.grid)
    return box.top, box.bottom, box.left, box.right


cdef bint are_computable(const double[:, ::1] vertices) noexcept:
    """Do the same as `geometry.are_computable`, which takes as long as a small mask."""
    cdef Py_ssize_t i
    cdef bint computable = True
    for i in range(vertices.shape[0]):
        computable &= (fabs(vertices[i, 0]) <= farthest) & (fabs(vertices[i, 1]) <= farthest)
    return computable


def contains(const double[:, ::1] vertices not None, const int64_t[::1] starts,
             const double[:, ::1] points not None, uint8_t[::1] out not None,
             sampling):
    """Test one or more points by the same rule."""
    cdef Polygon polygon = view(vertices, starts)
    cdef Sampling of
    set_sampling(of, 0, 0, sampling)
    read_environment()
    with nogil:
        test_points(polygon, &points[0, 0], points.shape[0], &out[0], of.rule, of.work)


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
    cdef bytes folder = os.fsencode(root)
    cdef double cores = quota_below(folder)
    return None if isinf(cores) else cores


def memory_limit(root=""):
    """Return the bytes of memory that the container may use, or None; `root` is for tests."""
    cdef bytes folder = os.fsencode(root)
    cdef int64_t limit = limit_below(folder)
    return None if limit == INT64_MAX else limit
