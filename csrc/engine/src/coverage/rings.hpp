/* The rings of a polygon, their nesting, and exact signs. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "polymask/polymask.hpp"
#include "polymask/portable.h" /* refuses -ffast-math */

namespace polymask::inline POLYMASK_ABI::detail
{

inline std::size_t ring_count(const Polygon &polygon) noexcept
{
    return polygon.ring_starts.empty() ? 1 : polygon.ring_starts.size();
}

/* Returns x0, y0, x1, y1, ... of one ring. */
inline std::span<const double> ring_of(const Polygon &polygon, std::size_t index) noexcept
{
    const auto &[vertices, starts] = polygon;
    const std::size_t begin = starts.empty() ? 0 : static_cast<std::size_t>(starts[index]),
                      end = index + 1 < starts.size() ? static_cast<std::size_t>(starts[index + 1])
                                                      : vertices.size() / 2;
    return vertices.subspan(2 * begin, 2 * (end - begin));
}

/* Returns for each ring the factor, 1 or -1, for its windings, so that the total winding is one for
 * points inside the polygon and zero for others: outer rings have one direction and holes the
 * other, regardless of how they run. A ring is a hole if it lies inside an odd number of other
 * rings, as some vertex that is not on their edges tells exactly. Trees of boxes find the rings
 * whose boxes meet, and the edges of a ring in a row: the time is nearly proportional to the rings,
 * and to the pairs of which one box holds the other. Throws std::bad_alloc. */
std::vector<int> orientations(const Polygon &polygon);

/* Returns the sign of (a - b) (c - d) - (e - f) (g - h) in real numbers, -1, 0 or 1, for any finite
 * numbers. Takes a few nanoseconds, but microseconds if the terms agree to 15 digits and
 * differences are not exact. */
int compare_products(double a, double b, double c, double d, double e, double f, double g,
                     double h) noexcept;

/* Returns the position where the edge p1 -> p2, y1 < y2, crosses the height y (y1 <= y <= y2): 1 if
 * it is to the right of x, 0 at x, -1 to the left of x. */
inline int crossing_beyond(double x, double y, double x1, double y1, double x2, double y2) noexcept
{
    return compare_products(y, y1, x2, x1, x, x1, y2, y1);
}

} // namespace polymask::inline POLYMASK_ABI::detail
