/* Signs that no rounding may change. */
#pragma once

namespace polymask::detail
{

/* The sign of (a - b) (c - d) - (e - f) (g - h) in real numbers: -1, 0 or 1. Any finite numbers.
 * Some nanoseconds, but where the terms are equal to 15 digits and differences are not exact:
 * microseconds. */
int compare_products(double a, double b, double c, double d, double e, double f, double g,
                     double h) noexcept;

/* Where the edge p1 -> p2, y1 < y2, crosses the height y (y1 <= y <= y2): 1 to the right of x, 0
 * at x, -1 to the left of it. */
inline int crossing_beyond(double x, double y, double x1, double y1, double x2, double y2) noexcept
{
    return compare_products(y, y1, x2, x1, x, x1, y2, y1);
}

} // namespace polymask::detail
