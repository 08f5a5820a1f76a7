/* A window of the raster: which of its sample points lie on each side of a coordinate, exactly, and
 * which of them a polygon can reach. */
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "polymask/polymask.hpp"

namespace polymask::detail
{

/* Returns the floor for |v| < 2^62, without a call to libm on targets that lack an instruction. */
inline std::int64_t floor_of(double v) noexcept
{
    const auto truncated = static_cast<std::int64_t>(v);
    return truncated - (static_cast<double>(truncated) > v);
}

/* A window of rows x cols samples. Element [row, column] is the point (x(column), y(row)). All
 * coordinates are exact as doubles: the caller ensures |offset| + size <= max_sample. */
struct Window {
    static constexpr std::int64_t max_sample = std::int64_t{1} << 50;

    std::int64_t rows, cols;
    std::int64_t row_offset, column_offset;
    double half; /* 0.5 if samples are pixel centres, else 0 */

    /* Returns whether some of `size` samples from `offset` on lie beyond max_sample. */
    static bool is_far(std::int64_t offset, std::int64_t size) noexcept
    {
        return offset < -max_sample || size > max_sample || offset > max_sample - size;
    }

    bool is_far() const noexcept { return is_far(row_offset, rows) || is_far(column_offset, cols); }

    /* Returns the range of those of `size` samples from `offset` on that lie within max_sample, as
     * the first and the end; it may be empty. */
    static std::pair<std::int64_t, std::int64_t> near(std::int64_t offset,
                                                      std::int64_t size) noexcept
    {
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
        const std::int64_t before = offset < -max_sample ? -max_sample - offset : 0;
        const std::int64_t room = offset < max_sample - most ? most : max_sample - offset;
        const std::int64_t first = std::min(before, size);
        return {first, std::min(std::max(room, first), size)};
    }

    double x(std::int64_t column) const noexcept
    {
        return static_cast<double>(column + column_offset) + half;
    }
    double y(std::int64_t row) const noexcept
    {
        return static_cast<double>(row + row_offset) + half;
    }

    /* Returns the number of rows with y(row) <= y, which is also the first row below `y`. An edge
     * crosses the scanlines ymin < y <= ymax, that is, the rows
     * rows_up_to(ymin) .. rows_up_to(ymax) - 1. */
    std::int64_t rows_up_to(double y) const noexcept { return samples_up_to(y, row_offset, rows); }
    /* Returns the number of columns with x(column) <= x. */
    std::int64_t columns_up_to(double x) const noexcept
    {
        return samples_up_to(x, column_offset, cols);
    }

  private:
    std::int64_t samples_up_to(double v, std::int64_t offset, std::int64_t size) const noexcept
    {
        /* Clamp first, so that the following steps are exact and fit in an integer. */
        const auto low = static_cast<double>(offset - 1), high = static_cast<double>(offset + size);
        const double near = std::min(std::max(v, low), high);
        const std::int64_t k = floor_of(near);
        /* k + half is exact: include that sample if it is at or before v. */
        const std::int64_t count = k - offset + (static_cast<double>(k) + half <= near);
        return std::min(std::max(count, std::int64_t{0}), size);
    }
};

/* The smallest and largest coordinates of vertices. */
struct Extent {
    double left = std::numeric_limits<double>::infinity(), top = left;
    double right = -left, bottom = -left;

    Extent() = default;
    explicit Extent(std::span<const double> vertices) noexcept;

    /* Becomes the extent of x0, y0, x1, y1, ..., and returns their sum, all in one pass. If a
     * coordinate is not finite, neither is the sum; the sum of finite coordinates may overflow, but
     * not if each is below 2^900. An infinite coordinate counts, and NaN does not. */
    double set_and_add(std::span<const double> vertices) noexcept;
};

/* Returns the samples of a window that a polygon of this extent can set to 1; the box is minimal
 * except for one column at the left.
 *
 * Top, bottom and right are exact: the rule toggles no sample above the highest vertex, below the
 * lowest, or right of the rightmost (it requires x <= max(x1, x2)), and stamps only vertices.
 *
 * Left of all vertices, each edge that crosses a sample's row toggles it, and their number is even;
 * exceptions are edges with xinters left of the sample, or NaN. With |coordinate| <= M, the result
 * of the formula is left of the edge by at most 7uM (the sum of 3u|d| and u|T| in formula.hpp) if
 * nothing underflows. The product underflows only if y2 - y1 is tiny, and its error is then half of
 * the smallest number, 2^-1075: divided by y2 - y1 >= 2^-1074, half a column. Up to `certain`,
 * where 7uM < 2^-10, a margin of one column is therefore enough. Beyond it, rounding errors of
 * xinters are larger and products overflow, so the box includes all columns at the left. */
Box box_of(const Extent &extent, const Window &window) noexcept;

constexpr double certain = 0x1p40;

/* Returns whether no coordinate lies beyond `certain`. */
bool is_certain(const Extent &extent) noexcept;

/* Returns the box in any window, with exact samples or not: if the extent is certain, the box is
 * exact, as all samples further out are 0; otherwise it is the whole window. */
Box box_in_any(const Extent &extent, const Window &window) noexcept;

/* Returns the pixels of a window whose squares a polygon of this extent can cover or touch. */
Box touched_box_of(const Extent &extent, const Window &window) noexcept;

} // namespace polymask::detail
