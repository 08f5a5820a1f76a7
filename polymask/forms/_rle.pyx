# cython: boundscheck=False, wraparound=False
"""COCO's run-length encoding read by the C++ engine, called with checked arguments.

A mask is a tuple: counts as bytes (COCO's text) or as an array of int64, rows, and columns.
"""

import numpy as np

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t
from libc.string cimport memcpy
from libcpp.vector cimport vector

from interruption cimport Signals

cdef extern from *:
    """
    #include "polymask/coco.hpp"

    static inline std::vector<std::int64_t> read_text(const char *text, std::size_t size)
    {
        return polymask::counts_of_text({text, size});
    }

    static inline void append_runs(const std::int64_t *counts, std::size_t size,
                                   std::int64_t rows, std::int64_t cols,
                                   std::vector<polymask::Run> &all)
    {
        const auto runs = polymask::runs_of_counts({counts, size}, {rows, cols});
        all.insert(all.end(), runs.begin(), runs.end());
    }

    /* Appends rings and polygons; `all` has the first offsets, which are 0. */
    static inline void append_outlines(const std::int64_t *counts, std::size_t size,
                                       std::int64_t rows, std::int64_t cols,
                                       polymask::Outlines &all)
    {
        const auto one = polymask::outlines_of_counts({counts, size}, {rows, cols});
        const auto append = [](auto &to, const auto &from) {
            const std::int64_t before = to.back();
            for (std::size_t i = 1; i < from.size(); ++i)
                to.push_back(before + from[i]);
        };
        append(all.ring_offsets, one.ring_offsets);
        append(all.polygon_offsets, one.polygon_offsets);
        all.vertices.insert(all.vertices.end(), one.vertices.begin(), one.vertices.end());
    }
    """
    cdef cppclass Run "polymask::Run":
        int64_t row, start, stop

    cdef cppclass Outlines "polymask::Outlines":
        vector[double] vertices
        vector[int64_t] ring_offsets, polygon_offsets

    vector[int64_t] read_text(const char *text, size_t size) except + nogil
    void append_runs(const int64_t *counts, size_t size, int64_t rows, int64_t cols,
                     vector[Run] &runs) except + nogil
    void append_outlines(const int64_t *counts, size_t size, int64_t rows, int64_t cols,
                         Outlines &outlines) except + nogil


cdef vector[int64_t] counts_of(counts) except *:
    """Return the counts of a mask."""
    cdef vector[int64_t] numbers
    cdef const int64_t[::1] array
    if type(counts) is bytes:
        return read_text(counts, len(counts))
    array = counts
    if array.shape[0]:
        numbers.assign(&array[0], &array[0] + array.shape[0])
    return numbers


cdef prefix(list masks, Py_ssize_t number):
    """Return the name of one of several masks for an error."""
    return f"mask {number}: " if len(masks) > 1 else ""


def runs(list masks not None):
    """Return the row, start and stop of all masks' runs, and the masks' offsets into them."""
    cdef vector[Run] all
    cdef vector[int64_t] numbers
    cdef int64_t rows, cols, size
    offsets = np.zeros(len(masks) + 1, np.int64)
    cdef int64_t[::1] ends = offsets[1:]
    cdef Signals signals
    signals.heed()
    cdef Py_ssize_t number, i
    for number in range(len(masks)):
        counts, rows, cols = masks[number]
        try:
            numbers = counts_of(counts)
            with nogil:
                append_runs(numbers.data(), numbers.size(), rows, cols, all)
        except ValueError as error:
            raise ValueError(prefix(masks, number) + str(error)) from None
        ends[number] = all.size()
        PyErr_CheckSignals()
    size = all.size()
    columns = np.empty((3, size), np.int64)
    cdef int64_t[:, ::1] out = columns
    with nogil:
        for i in range(size):
            out[0, i], out[1, i], out[2, i] = all[i].row, all[i].start, all[i].stop
    return columns, offsets


def outlines(list masks not None):
    """Return the vertices, ring offsets, polygon offsets and feature offsets of all outlines."""
    cdef Outlines all
    cdef vector[int64_t] numbers
    cdef int64_t rows, cols
    cdef Py_ssize_t number
    offsets = np.zeros(len(masks) + 1, np.int64)
    cdef int64_t[::1] ends = offsets[1:]
    cdef Signals signals
    signals.heed()
    all.ring_offsets.push_back(0)
    all.polygon_offsets.push_back(0)
    for number in range(len(masks)):
        counts, rows, cols = masks[number]
        try:
            numbers = counts_of(counts)
            with nogil:
                append_outlines(numbers.data(), numbers.size(), rows, cols, all)
        except ValueError as error:
            raise ValueError(prefix(masks, number) + str(error)) from None
        ends[number] = all.polygon_offsets.size() - 1
        PyErr_CheckSignals()
    vertices = np.empty((all.vertices.size() // 2, 2))
    cdef double[:, ::1] xy = vertices
    if all.vertices.size():
        memcpy(&xy[0, 0], all.vertices.data(), all.vertices.size() * sizeof(double))
    return vertices, as_array(all.ring_offsets), as_array(all.polygon_offsets), offsets


cdef as_array(const vector[int64_t] &numbers):
    """Copy numbers, of which there is at least one, to an array."""
    array = np.empty(numbers.size(), np.int64)
    cdef int64_t[::1] out = array
    memcpy(&out[0], numbers.data(), numbers.size() * sizeof(int64_t))
    return array
