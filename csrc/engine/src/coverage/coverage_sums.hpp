/* How covered areas are summed: signed, by row and column, as font rasterisers do.
 *
 * An edge that crosses a row between two heights covers so much of the height of every square to
 * its right, and part of that of the squares which it crosses. What it adds is kept as differences
 * from square to square: their running sum along the row is the covered area. So an edge adds to
 * two squares per row, or a few, and nothing is done for those between edges.
 *
 * Sums are whole numbers in units of 2^-31 of a square, modulo 2^32. Whole numbers can be added in
 * any order: it does not matter which other edges there are, where the window begins, or how rows
 * are shared out. What an edge covers of a square is cut to units once, and right of the edge it is
 * the difference of the two heights, to the unit: around a ring these cancel exactly. Hence squares
 * without an edge sum to a multiple of 2^31, and edges of two polygons that coincide cancel each
 * other.
 *
 * Modulo 2^32 is modulo two squares. Read as a signed number, the sum w of all windings is folded
 * into -1 .. 1, and its absolute value is the distance of w to the nearest even number: 0 outside,
 * 1 inside, by the even-odd rule, and right in between where windings k and k + 1 meet in a square.
 */
#pragma once

#include <cmath>
#include <cstdint>

#include "support/samples.hpp"

namespace polymask::detail
{

/* An edge, its end of smaller y first. Coordinates are those of squares' borders: the square of
 * column c reaches from c to c + 1. */
struct CoverEdge {
    static constexpr double most_x = 0x1p20; /* up to which rows are taken eight at a time */

    double x1, y1, x2, y2;
    double slope, steepness;          /* dx/dy, and |dy/dx| */
    std::int64_t first_row, last_row; /* of the window, in which its ends lie */
    std::uint32_t first_y, last_y;    /* where in these rows, in units */
    std::int32_t factor;              /* 1 or -1 */
    bool far;                         /* beyond 2^50: computed with care, one by one */
};

/* Sums of some rows of a window. A row has a margin to its left, for what is covered left of the
 * window, and one to its right that is never read. */
struct CoverSums {
    static constexpr std::int64_t margin = 16;
    /* Rows are taken eight at a time: so many after the last are added to, but by 0 alone. */
    static constexpr std::int64_t rows_after = 7;

    std::uint32_t *sums; /* all zero between uses */
    std::int64_t pitch;  /* from row to row */
    std::int64_t first, end;

    static std::int64_t pitch_of(std::int64_t cols) noexcept
    {
        /* An odd number of lines, so that neighbours of many rows find room in the cache. */
        return ((cols + 2 * margin + 15) / 16 | 1) * 16;
    }
    /* Column 0 of a row. */
    std::uint32_t *row(std::int64_t row) const noexcept
    {
        return sums + (row - first) * pitch + margin;
    }
};

/* What a sum stands for: 0 .. 1. */
static inline float to_fraction(std::uint32_t sum) noexcept
{
    return std::fabs(static_cast<float>(static_cast<std::int32_t>(sum))) * 0x1p-31f;
}

/* The same, not rounded. */
static inline double to_exact_fraction(std::uint32_t sum) noexcept
{
    return std::fabs(static_cast<double>(static_cast<std::int32_t>(sum))) * 0x1p-31;
}

} // namespace polymask::detail
