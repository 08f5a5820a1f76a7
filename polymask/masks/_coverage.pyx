# cython: boundscheck=False, wraparound=False
"""Fractions of pixels by the C++ engine, called with checked arguments."""

from libc.stdint cimport int64_t
from libcpp.vector cimport vector

from engine cimport Options, Polygon, read_environment, view
from interruption cimport Signals
from polymask.contract import BadSetting

cdef extern from *:
    """
    #include "coverage/rings.hpp"
    #include "polymask/coverage.hpp"

    static inline void cover(const polymask::Polygon &polygon, std::int64_t rows,
                             std::int64_t cols, int subpixels, float *out,
                             const polymask::Options &options)
    {
        const std::span<float> all(out, static_cast<std::size_t>(rows * cols));
        if (subpixels == 0)
            polymask::coverage(polygon, rows, cols, all, options);
        else
            polymask::coverage_samples(polygon, rows, cols, subpixels, all, options);
    }

    static inline void add_cover(const polymask::Polygon &polygon, std::int64_t rows,
                                 std::int64_t cols, double *out,
                                 const polymask::Options &options)
    {
        polymask::add_coverage(polygon, rows, cols, {out, static_cast<std::size_t>(rows * cols)},
                               options);
    }
    """
    void cover(const Polygon &polygon, int64_t rows, int64_t cols, int subpixels, float *out,
               const Options &options) except + nogil
    void add_cover(const Polygon &polygon, int64_t rows, int64_t cols, double *out,
                   const Options &options) except + nogil
    vector[int] turns "polymask::detail::orientations"(const Polygon &polygon) except + nogil


def fill(const double[:, ::1] vertices not None, const int64_t[::1] starts,
         float[:, ::1] out not None, int subpixels, bint center, offset, bint out_is_zero):
    """Fill `out`, which is not empty, with areas, or with shares of samples if `subpixels` > 0."""
    cdef Polygon polygon = view(vertices, starts)
    cdef Options options
    options.center = center
    options.row_offset, options.column_offset = offset
    options.out_is_zero = out_is_zero
    cdef Signals signals
    signals.heed()
    read_environment()
    try:
        with nogil:
            cover(polygon, out.shape[0], out.shape[1], subpixels, &out[0, 0], options)
    except RuntimeError as error:
        raise BadSetting(str(error)) from None


def add(const double[:, ::1] vertices not None, const int64_t[::1] starts,
        double[:, ::1] out not None, bint center, offset):
    """Add areas, without rounding them, to `out`, which is not empty."""
    cdef Polygon polygon = view(vertices, starts)
    cdef Options options
    options.center = center
    options.row_offset, options.column_offset = offset
    cdef Signals signals
    signals.heed()
    read_environment()
    try:
        with nogil:
            add_cover(polygon, out.shape[0], out.shape[1], &out[0, 0], options)
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
