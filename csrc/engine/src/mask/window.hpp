/* A window of the raster: which of its sample points lie on which side of a coordinate, exactly,
 * and which of them a polygon can reach. */
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "polymask/polymask.hpp"

namespace polymask::detail
{

/* floor for |v| < 2^62, without a call into libm where the target has no instruction for it */
inline std::int64_t floor_of(double v) noexcept
{
    const auto truncated = static_cast<std::int64_t>(v);
    return truncated - (static_cast<double>(truncated) > v);
}

/* A window of rows x cols samples. Element [row, column] is the point (x(column), y(row)). All of
 * its coordinates are exact as doubles: |offset| + size <= max_sample, which the caller sees to. */
struct Window {
    static constexpr std::int64_t max_sample = std::int64_t{1} << 50;

    std::int64_t rows, cols;
    std::int64_t row_offset, column_offset;
    double half; /* 0.5 when samples are pixel centres, else 0 */

    /* Whether some of `size` samples from `offset` on lie beyond max_sample. */
    static bool is_far(std::int64_t offset, std::int64_t size) noexcept
    {
        return offset < -max_sample || size > max_sample || offset > max_sample - size;
    }

    bool is_far() const noexcept { return is_far(row_offset, rows) || is_far(column_offset, cols); }

    /* Which of `size` samples from `offset` on lie within max_sample, from the first to behind the
     * last; if none does, none. */
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

    /* How many rows have their samples at or above `y` (at smaller or equal y): also the first row
     * below it. An edge crosses the scanlines ymin < y <= ymax, that is the rows
     * rows_up_to(ymin) .. rows_up_to(ymax) - 1. */
    std::int64_t rows_up_to(double y) const noexcept { return samples_up_to(y, row_offset, rows); }
    /* How many columns have x(column) <= x. */
    std::int64_t columns_up_to(double x) const noexcept
    {
        return samples_up_to(x, column_offset, cols);
    }

  private:
    std::int64_t samples_up_to(double v, std::int64_t offset, std::int64_t size) const noexcept
    {
        /* Clamped first, so that what follows is exact and fits an integer. */
        const auto low = static_cast<double>(offset - 1), high = static_cast<double>(offset + size);
        const double near = std::min(std::max(v, low), high);
        const std::int64_t k = floor_of(near);
        /* k + half is exact: is that sample still at or before v? */
        const std::int64_t count = k - offset + (static_cast<double>(k) + half <= near);
        return std::min(std::max(count, std::int64_t{0}), size);
    }
};

/* The least and the largest coordinates of some vertices. Four steps a nanosecond, and more. */
struct Extent {
    double left = std::numeric_limits<double>::infinity(), top = left;
    double right = -left, bottom = -left;

    Extent() = default;
    explicit Extent(std::span<const double> vertices) noexcept;
};

/* The samples of a window that a polygon of this extent can make 1; as few as can be, but for a
 * column at the left.
 *
 * Top, bottom and right are exact: the rule toggles no sample above the highest vertex, below the
 * lowest, or right of the rightmost (it asks for x <= max(x1, x2)), and stamps vertices alone.
 *
 * Left of all vertices each edge that crosses a sample's row toggles it, and these are even in
 * number; unless an edge's xinters lies left of the sample, or is no number. With |coordinate| <= M
 * the formula lies left of the edge by at most 7uM (the sum of 3u|d| and u|T| of formula.hpp)
 * where nothing underflows. The product underflows only where y2 - y1 is next to nothing, and is
 * then off by half of the least number, 2^-1075: divided by y2 - y1 >= 2^-1074, half a column. So
 * up to `certain`, where 7uM < 2^-10, one column of room is enough. Beyond it xinters is rounded
 * further, and products overflow: there all columns at the left belong to the box. */
Box box_of(const Extent &extent, const Window &window) noexcept;

constexpr double certain = 0x1p40;

/* Whether no coordinate lies beyond `certain`. */
bool is_certain(const Extent &extent) noexcept;

/* The same in any window, be its samples exact or not: of an extent that is certain the box is
 * exact all the same, as all samples further out are 0; of another it is the whole window. */
Box box_in_any(const Extent &extent, const Window &window) noexcept;

/* The pixels of a window whose squares a polygon of this extent can cover or touch. */
Box touched_box_of(const Extent &extent, const Window &window) noexcept;

} // namespace polymask::detail
