# cython: boundscheck=False, wraparound=False
"""Outlines by the C++ engine for `polymask.masks.outlines`, called with checked arguments."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t
from libcpp cimport bool
from libcpp.utility cimport move

from interruption cimport Signals
from outlines cimport (
    Connectivity, LabelImage, OutlineOptions, TracedOutlines, trace_mask, trace_regions,
    write_outlines,
)


def trace(const uint8_t[:, :] image not None, int element_bytes, bint has_sign, bint is_mask,
          background, int connectivity, bint center, int64_t row_offset, int64_t column_offset):
    """Return vertices, ring offsets, polygon offsets and labels of an image's outlines.

    The image is a view of its bytes, in which each row is contiguous.
    """
    cdef Py_ssize_t rows = image.shape[0], cols = image.shape[1] // element_bytes
    cdef int64_t stride = image.strides[0] // element_bytes if rows > 1 else cols
    cdef const uint8_t *data = &image[0, 0] if rows and cols else NULL
    cdef size_t count = (rows - 1) * stride + cols if rows and cols else 0
    cdef LabelImage *view = new LabelImage(data, count, element_bytes, has_sign, rows, cols, stride)
    cdef OutlineOptions options
    cdef TracedOutlines traced
    cdef bool has_background = background is not None
    cdef int64_t outside = background if has_background else 0
    options.connectivity = Connectivity.corners if connectivity == 8 else Connectivity.sides
    options.center = center
    options.row_offset = row_offset
    options.column_offset = column_offset
    cdef Signals signals
    signals.heed()
    try:
        with nogil:
            if is_mask:
                traced = move(trace_mask(view[0], options))
            else:
                traced = move(trace_regions(view[0], has_background, outside, options))
    finally:
        del view
    vertices = np.empty((traced.vertices(), 2))
    ring_offsets = np.empty(traced.rings() + 1, np.int64)
    polygon_offsets = np.empty(traced.polygons() + 1, np.int64)
    labels = np.empty(traced.polygons(), np.int64)
    if traced.polygons():
        write(traced, vertices, ring_offsets, polygon_offsets, labels)
    else:
        ring_offsets[0] = polygon_offsets[0] = 0
    return vertices, ring_offsets, polygon_offsets, labels


cdef write(const TracedOutlines &traced, double[:, ::1] vertices, int64_t[::1] ring_offsets,
           int64_t[::1] polygon_offsets, int64_t[::1] labels):
    with nogil:
        write_outlines(traced, &vertices[0, 0], &ring_offsets[0], &polygon_offsets[0], &labels[0])
