/* The rule's formula for one crossing, as a column. */
#pragma once

#include <algorithm>
#include <utility>

#include "../../inside_polygon.h"
#include "support/samples.hpp"

namespace polymask::detail
{

/* An edge p1 -> p2 with x1 != x2 that crosses the scanline y toggles the columns of the window that
 * have x <= xinters and x <= max(x1, x2): so many columns from the left, 0 .. window.cols.
 *
 * The comparisons are ordered so that an xinters that is NaN, which toggles nothing, becomes 0: the
 * toggle then lies left of every column like any crossing left of the window, and each row keeps an
 * even number of them. Wants max(x1, x2) >= x of column 0. */
inline std::int64_t crossing_column(const Window &window, double y, double x1, double y1, double x2,
                                    double y2) noexcept
{
    const double xinters = crossing_x(y, x1, y1, x2, y2);
    const double left_of_all = window.x(-1);
    const double from_left = xinters > left_of_all ? xinters : left_of_all;
    return window.columns_up_to(std::min(from_left, std::max(x1, x2)));
}

/* Whether the edge toggles the point (x, y). */
inline bool toggles(double x, double y, double x1, double y1, double x2, double y2) noexcept
{
    return y > std::min(y1, y2) && y <= std::max(y1, y2) && x <= std::max(x1, x2) &&
           (x1 == x2 || x <= crossing_x(y, x1, y1, x2, y2));
}

/* The same, computed from its end of smaller y. If the rule is half open, the edge crosses the row
 * of its upper end at that end, where the formula may round to the left of it: edges that meet in a
 * sample are then crossed there, all of them, and it belongs to one of the polygons around it. */
inline bool toggles_watertight(double x, double y, double x1, double y1, double x2, double y2,
                               bool half_open) noexcept
{
    if (y2 < y1) {
        std::swap(x1, x2);
        std::swap(y1, y2);
    }
    if (half_open && y == y2 && y1 < y2)
        return x <= x2;
    return toggles(x, y, x1, y1, x2, y2);
}

} // namespace polymask::detail
