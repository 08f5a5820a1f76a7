# Fractions and touched squares of pixels: the functions of csrc/engine that Python calls.
from libc.stdint cimport uint8_t
from libcpp cimport bool
from libcpp.vector cimport vector

from engine cimport Grid, Polygon

cdef extern from *:
    """
    #include "coverage/rings.hpp"
    #include "polymask/coverage.hpp"
    #include "polymask/touched.hpp"

    static inline std::size_t size_of(const polymask::Grid &grid)
    {
        return static_cast<std::size_t>(grid.shape.rows * grid.shape.cols);
    }

    static inline void cover(const polymask::Polygon &polygon, const polymask::Grid &grid,
                             int subpixels, float *out, bool out_is_zero)
    {
        const std::span<float> all(out, size_of(grid));
        if (subpixels == 0)
            polymask::coverage(polygon, grid, all, {.out_is_zero = out_is_zero});
        else
            polymask::coverage_samples(polygon, grid, subpixels, all);
    }

    static inline void add_cover(const polymask::Polygon &polygon, const polymask::Grid &grid,
                                 double *out)
    {
        polymask::add_coverage(polygon, grid, {out, size_of(grid)});
    }

    static inline void touch_squares(const polymask::Polygon &polygon, const polymask::Grid &grid,
                                     std::uint8_t *out, bool closed)
    {
        polymask::fill_touched(polygon, grid, {out, size_of(grid)},
                               closed ? polymask::Squares::closed : polymask::Squares::open);
    }
    """
    void cover(const Polygon &polygon, const Grid &grid, int subpixels, float *out,
               bool out_is_zero) except + nogil
    void add_cover(const Polygon &polygon, const Grid &grid, double *out) except + nogil
    void touch_squares(const Polygon &polygon, const Grid &grid, uint8_t *out,
                       bool closed) except + nogil
    vector[int] turns "polymask::detail::orientations"(const Polygon &polygon) except + nogil
