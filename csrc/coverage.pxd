# Fractions of pixels: the functions of csrc/engine that Python calls.
from libcpp cimport bool
from libcpp.vector cimport vector

from engine cimport Grid, Polygon

cdef extern from *:
    """
    #include "coverage/rings.hpp"
    #include "polymask/coverage.hpp"

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
    """
    void cover(const Polygon &polygon, const Grid &grid, int subpixels, float *out,
               bool out_is_zero) except + nogil
    void add_cover(const Polygon &polygon, const Grid &grid, double *out) except + nogil
    vector[int] turns "polymask::detail::orientations"(const Polygon &polygon) except + nogil
