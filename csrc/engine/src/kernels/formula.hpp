/* The rule's formula for one crossing, as a column, and steps from row to row that avoid its
 * evaluation. */
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "mask/window.hpp"
#include "polymask/inside_polygon.h"
#include "polymask/polymask.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

/* Returns a coordinate, or 0 if it is no longer finite. check() has tested all coordinates, but
 * another thread of the program may have changed them since. The program is responsible for such a
 * mask, but a value that no integer can represent must not become an address. */
inline double finite(double coordinate) noexcept
{
    return coordinate - coordinate == 0 ? coordinate : 0;
}

inline bool is_half_open(const Rule &rule) noexcept
{
    return rule.border == Border::half_open;
}

/* The value of a sample that equals a vertex, unless the rule is half open. */
inline bool border_value(const Rule &rule) noexcept
{
    return rule.border == Border::inside;
}

/* An edge p1 -> p2 with x1 != x2 that crosses the scanline y toggles the columns of the window with
 * x <= xinters and x <= max(x1, x2). Returns their number, counted from the left, 0 .. window.cols.
 *
 * The comparisons are ordered so that the result is 0 if xinters is NaN, which toggles nothing: the
 * toggle is then left of all columns, like any crossing left of the window, and each row keeps an
 * even number of toggles. Requires max(x1, x2) >= x of column 0. */
inline std::int64_t crossing_column(const Window &window, double y, double x1, double y1, double x2,
                                    double y2) noexcept
{
    const double xinters = crossing_x(y, x1, y1, x2, y2);
    const double left_of_all = window.x(-1);
    const double from_left = xinters > left_of_all ? xinters : left_of_all;
    return window.columns_up_to(std::min(from_left, std::max(x1, x2)));
}

/* Returns whether the edge toggles the point (x, y). */
inline bool toggles(double x, double y, double x1, double y1, double x2, double y2) noexcept
{
    return y > std::min(y1, y2) && y <= std::max(y1, y2) && x <= std::max(x1, x2) &&
           (x1 == x2 || x <= crossing_x(y, x1, y1, x2, y2));
}

/* Returns the same, computed from the edge's end with the smaller y. If the rule is half open, the
 * edge crosses the row of its other end exactly there, where the formula could round to the left:
 * all edges that meet in a sample are then crossed in it, and it belongs to exactly one of the
 * polygons around it. */
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

/* Crossings without a division for each: stepping in fixed point, and the proof of exactness.
 *
 * Along an edge the crossing moves by the slope d/h per scanline. We step it as a 64-bit integer
 * with 40 bits after the point, which adds without rounding. In each row, we test whether the value
 * is so close to an integer that rounding could put the result of the rule's formula on the other
 * side of it. Only then is the formula evaluated. The toggled column always equals that of the
 * formula.
 *
 * Notation: u = 2^-53; fl() rounds to binary64; y is that of the sample; a = fl(y - y1),
 * d = fl(x2 - x1), h = fl(y2 - y1); M = max(|x1|, |x2|). The formula is
 * fl(fl(fl(a d) / h) + x1), limited to max(x1, x2). As rounding is monotone, 0 <= a/h <= 1 in every
 * row that the edge crosses. Distances are measured from T = x1 + d a / h in real numbers, where
 * |d a / h| <= |d| <= 2M and |T| <= M + 2uM.
 *
 *   the formula's product, quotient, sum            2u|d| + u|T|
 *   its limit at max(x1, x2)                        u|d|
 *   the start fl(fl(a0 m) + x1) with m = fl(d/h)    2u|d| + u|T|, and 2^-40 to truncate to units
 *   n steps of m truncated to units                 u|d|, and n 2^-40
 *   a differs from a0 + n, as each is rounded       2u|d|
 *
 * (terms in u^2 are negligible in the following). In total this is at most
 * 8u|d| + 2uM + (n + 1) 2^-40, and with |d| <= 2M at most
 *
 *     E = 2^-48 M + (n + 2) 2^-40.
 *
 * Let tol be the next power of two above E. It is added to the start once, so that T and the
 * formula are less than 2 tol below the stepped value x. If the fraction of x is at least 2 tol, no
 * integer lies between them, and all have the same floor: the test is
 * x & (fraction bits from 2 tol up) != 0.
 *
 * This holds for |x| <= 2^21, |y| <= 2^100 and at least two rows: then |h| >= 1, nothing overflows
 * or loses bits below the smallest exponent, and |d/h| <= 2^22.
 *
 * Lattice edges. If x1, y1, x2, y2 and the samples are multiples of 2^-j, T is a multiple of
 * s = 1 / (|h| 4^j). If s > 4 tol, products and differences are exact, and the formula's floor is
 * that of T: if T is an integer, nothing is rounded at all; otherwise T is farther from an integer
 * than the formula is from T. We add a bias b to the start with 2 tol < b <= s / 2, so x stays in
 * (T + b, T + b + 2 tol): its fraction is above 2 tol even if T is an integer, and below 1 even if
 * T is s below the next. Edges between integer vertices therefore never evaluate the formula.
 *
 * A polygon whose edges run through sample points without being on a lattice (diagonals with the
 * same real fraction) would evaluate it in every row; see crossings.inl.
 *
 * Lanes. Vectors step blocks of 32 rows in lanes of 32 bits: 8 bits of the column, and 24 after the
 * point. For row i of block k, in units of 2^-24, x = x0 + (i + 32 k) step becomes
 *
 *     L = floor(x0) + i floor(step) + k floor(32 step) + D.
 *
 * The three floors omit less than 1, i and k units. In n blocks, i < 32 and k < n, so with
 * D = 30 + n the lane L, a whole number of units, is above x - 1, and at most D above x. If the
 * fraction of L is at least 2 tol + D, no integer lies between them, and the fraction of x is at
 * least 2 tol: both have the same floor, that of the formula. A row whose lane does not decide is
 * tested by x. */

constexpr int fraction_bits = 40;
constexpr std::uint64_t one_column = std::uint64_t{1} << fraction_bits;

/* The stepped value is the number of columns that a crossing toggles (X + 1 in the rule), modulo
 * 2^24, from the edge's first row on. A row is decided if (x & mask) != 0. */
struct Stepping {
    std::uint64_t x, step, mask;
};

/* The rows of a block, the number D, and the least fraction that decides a row. */
struct LaneBounds {
    static constexpr int rows = 32, unit_shift = fraction_bits - 24;

    LaneBounds(std::uint64_t mask, std::int64_t blocks) noexcept
        : deficit(static_cast<std::uint32_t>(rows - 2 + blocks)),
          least(
              deficit + 1 +
              static_cast<std::uint32_t>((~mask & (one_column - 1)) >> unit_shift)) /* 2 tol - 1 */
    {
    }
    /* Returns a number of columns in units, modulo 2^8 columns. */
    static std::uint32_t units(std::uint64_t x) noexcept
    {
        return static_cast<std::uint32_t>(x >> unit_shift);
    }

    std::uint32_t deficit, least;
};

/* The same column in every row. */
inline Stepping constant(std::int64_t columns) noexcept
{
    return {static_cast<std::uint64_t>(columns) * one_column + one_column / 2, 0, one_column - 1};
}

/* The formula decides every row. */
inline constexpr Stepping always_divide = {0, 0, 0};

/* Returns the low nine bits of v in units of 2^-8, with bit 8 set: the lowest set bit is 8 - j for
 * the smallest j such that v is a multiple of 2^-j, or `off_lattice` if no j <= 8 exists. Results
 * are combined by or. */
constexpr std::uint64_t off_lattice = std::uint64_t{1} << 63;

inline std::uint64_t lattice(double v) noexcept
{
    const double scaled = v * 256;
    const auto units = static_cast<std::int64_t>(std::fabs(v) < 0x1p44 ? scaled : 0.5);
    return static_cast<double>(units) == scaled ? (static_cast<std::uint64_t>(units) & 255) | 256
                                                : off_lattice;
}

inline int exponent_of(double positive) noexcept
{
    return static_cast<int>(std::bit_cast<std::uint64_t>(positive) >> 52) - 1023;
}

struct Vertex {
    double x, y;
    std::int64_t rows_up_to; /* Window::rows_up_to(y) */
    std::uint64_t lattice;   /* lattice(x) | lattice(y) */
    std::uint32_t index;     /* in the polygon */
};

/* The bounds that the proof requires. */
inline bool can_step(const Vertex &v1, const Vertex &v2) noexcept
{
    return std::max(std::fabs(v1.x), std::fabs(v2.x)) <= 0x1p21 &&
           std::max(std::fabs(v1.y), std::fabs(v2.y)) <= 0x1p100;
}

/* The steps of an edge v1 -> v2 that can_step, is not vertical and crosses rows
 * first .. first + rows - 1 of the window, rows >= 2. */
inline Stepping stepping(const Window &window, std::int64_t first, std::int64_t rows,
                         const Vertex &v1, const Vertex &v2) noexcept
{
    const double h = v2.y - v1.y, slope = (v2.x - v1.x) / h;
    const double start = (window.y(first) - v1.y) * slope + v1.x;
    const double largest_x = std::max(std::fabs(v1.x), std::fabs(v2.x));
    const auto n = static_cast<double>(rows - 1);
    const int tol_exponent = exponent_of(largest_x * 0x1p-8 + (n + 2)) + 1; /* in units of 2^-40 */
    const std::uint64_t tol = std::uint64_t{1} << tol_exponent;

    auto x = static_cast<std::uint64_t>(static_cast<std::int64_t>(start * 0x1p40)) + tol;
    x += static_cast<std::uint64_t>(1 - window.column_offset) * one_column;
    x -= window.half != 0 ? one_column / 2 : 0;

    /* With centres, the samples themselves are multiples of 1/2. */
    const std::uint64_t on_lattice = v1.lattice | v2.lattice | (window.half != 0 ? 128 : 256);
    if (on_lattice < off_lattice) {
        const int j = 8 - std::countr_zero(on_lattice);
        /* a power of two at most s / 2 = 2^39 / (|h| 4^j), in units */
        const int bias_exponent = 38 - exponent_of(std::fabs(h)) - 2 * j;
        if (bias_exponent > tol_exponent + 1)
            x += std::uint64_t{1} << bias_exponent;
    }
    const auto step = static_cast<std::uint64_t>(static_cast<std::int64_t>(slope * 0x1p40));
    return {x, step, (one_column - 1) & ~(2 * tol - 1)};
}

} // namespace polymask::inline POLYMASK_ABI::detail
