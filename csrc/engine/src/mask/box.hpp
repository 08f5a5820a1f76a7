/* Where a polygon can be: outside of this box its mask is 0. */
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "polymask/polymask.hpp"
#include "support/samples.hpp"

namespace polymask::detail
{

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
 * the formula lies left of the edge by at most 7uM (the sum of 3u|d| and u|T| of fixed_point.hpp)
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
