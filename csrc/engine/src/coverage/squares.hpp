/* Covered areas are signed sums by row and column, as in font rasterisers.
 *
 * An edge that crosses a row between two heights covers this part of the height of every square to
 * its right, and a part of the squares that it crosses. The areas are stored as differences from
 * square to square: their running sum along the row is the covered area. An edge therefore adds to
 * only two or a few squares per row, and squares between edges need no work.
 *
 * Sums are integers in units of 2^-31 of a square, modulo 2^32. Integers can be added in any order:
 * the result does not depend on other edges, the start of the window, or the distribution of rows.
 * The area that an edge covers in a square is rounded to units once, and to the right of the edge
 * it is exactly the difference of the two heights: around a ring, these cancel exactly. Squares
 * without an edge therefore sum to a multiple of 2^31, and coinciding edges of two polygons cancel
 * each other.
 *
 * Modulo 2^32 means modulo two squares. As a signed number, the sum w of all windings is folded
 * into -1 .. 1, and its absolute value is the distance of w from the nearest even number: 0
 * outside, 1 inside, by the even-odd rule, and exact if windings k and k + 1 meet in a square.
 */
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "mask/window.hpp"
#include "parallel/interrupt_poller.hpp"
#include "polymask/interruption.hpp"
#include "support/checks.hpp"
#include "support/counting_sort.hpp"

namespace polymask::detail
{

/* An edge, with its end of smaller y first. Coordinates are those of the borders of squares: the
 * square of column c reaches from c to c + 1. */
struct CoverEdge {
    static constexpr double most_x = 0x1p20; /* the limit for processing eight rows at a time */

    double x1, y1, x2, y2;
    double slope = 0, steepness = 0;          /* dx/dy, and |dy/dx| */
    std::int64_t first_row = 0, last_row = 0; /* the rows of the window that contain its ends */
    std::uint32_t first_y = 0, last_y = 0;    /* the positions in these rows, in units */
    std::int32_t factor;                      /* 1 or -1 */
    bool far = false;                         /* beyond 2^50: computed carefully, row by row */
};

/* Sums of some rows of a window. A row has a margin to its left, for areas left of the window, and
 * one to its right that is never read. */
struct CoverSums {
    static constexpr std::int64_t margin = 16;
    /* Eight rows are processed at a time: up to 7 rows after the last change, but only by 0. */
    static constexpr std::int64_t rows_after = 7;

    std::uint32_t *sums; /* all zero between uses */
    std::int64_t pitch;  /* from row to row */
    std::int64_t first, end;

    static std::int64_t pitch_of(std::int64_t cols) noexcept
    {
        /* An odd number of cache lines, so that neighbours in many rows fit in the cache. */
        return ((cols + 2 * margin + 15) / 16 | 1) * 16;
    }
    /* Returns column 0 of a row. */
    std::uint32_t *row(std::int64_t row) const noexcept
    {
        return sums + (row - first) * pitch + margin;
    }
};

/* Converts a sum to a fraction, 0 .. 1. */
static inline float to_fraction(std::uint32_t sum) noexcept
{
    return std::fabs(static_cast<float>(static_cast<std::int32_t>(sum))) * 0x1p-31f;
}

/* The same without rounding. */
static inline double to_exact_fraction(std::uint32_t sum) noexcept
{
    return std::fabs(static_cast<double>(static_cast<std::int32_t>(sum))) * 0x1p-31;
}

/* Returns a window in which all samples and borders of squares are exact as doubles, see Window.
 * Throws std::invalid_argument. */
inline Window checked_window(std::int64_t rows, std::int64_t cols, const Options &options)
{
    check_window(rows, cols, options.row_offset, options.column_offset);
    check_near(rows, cols, options.row_offset, options.column_offset);
    check_dirty(options, rows, cols);
    return {rows, cols, options.row_offset, options.column_offset, options.center ? 0.5 : 0.0};
}

template <class T> void zero(T *out, std::int64_t count)
{
    constexpr std::int64_t at_once = std::int64_t{1} << 22;
    for (std::int64_t first = 0; first < count; first += at_once) {
        Interruption::stop_if_asked();
        std::fill_n(out + first, std::min(at_once, count - first), T{0});
    }
}

/* An image to be written: its first element, and the number of elements from row to row. */
template <class T> struct Image {
    T *first;
    std::int64_t pitch;

    T *row(std::int64_t row) const noexcept { return first + row * pitch; }
};

/* Throws std::invalid_argument. */
template <class T>
Image<T> checked_image(std::span<T> out, const Window &window, const Options &options,
                       const char *unit)
{
    check_out(out.size(), window.rows, window.cols, options.row_stride, unit);
    return {out.data(), options.row_stride != 0 ? options.row_stride : window.cols};
}

/* Calls fill(window, image) for parts of the window that cover the polygon, each of at most 2^20
 * columns, with their part of the image. The rest is set to zero, or that of the dirty box,
 * unless it is zero already. */
template <class T, class Fill>
void fill_reached(const Polygon &polygon, const Window &window, const Image<T> &out,
                  bool out_is_zero, Box *dirty, Fill fill)
{
    constexpr std::int64_t most_cols = std::int64_t{1} << 20;
    const std::int64_t rows = window.rows, cols = window.cols;
    Box box = touched_box_of(Extent(polygon.vertices), window);
    if (is_empty(box))
        box = {};
    Box rest = {0, rows, 0, cols};
    if (dirty != nullptr)
        rest = std::exchange(*dirty, hull(*dirty, box));
    /* Whole rows follow each other in memory, which saves more than omitting a few columns. */
    else if (!out_is_zero && box.cols() > cols / 2)
        box.left = 0, box.right = cols;
    for (std::int64_t column = box.left; column < box.right; column += most_cols)
        fill(Window{box.rows(), std::min(box.right - column, most_cols),
                    window.row_offset + box.top, window.column_offset + column, window.half},
             Image<T>{out.row(box.top) + column, out.pitch});
    if (out_is_zero)
        return;
    for_rest(rest, box, [&](const Box &part) {
        if (part.cols() == out.pitch)
            zero(out.row(part.top), part.rows() * out.pitch);
        else
            for (std::int64_t row = part.top; row < part.bottom; ++row)
                zero(out.row(row) + part.left, part.cols());
    });
    if (dirty != nullptr)
        *dirty = box;
}

/* Sums the contributions of edges to the rows of a window, band by band: calls add(edge, sums) for
 * each edge that meets the band, by its first_row and last_row, then write(row, sums), which sets
 * the sums of the row to zero. Throws std::bad_alloc before that, Interrupted at any time. */
template <class Edge, class Add, class Write>
void sum_by_bands(const std::vector<Edge> &edges, const Window &window, Add add, Write write)
{
    constexpr std::int64_t band_numbers = std::int64_t{1} << 17; /* to fit the second cache */
    const std::int64_t pitch = CoverSums::pitch_of(window.cols);
    std::int64_t band = std::min(std::max(band_numbers / pitch, std::int64_t{1}), window.rows);
    /* Edges are sorted by groups of rows, 8 to 15 per band, because a shift takes less time than a
     * division. */
    const int shift =
        std::max(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(band))) - 4, 0);
    band = band >> shift << shift;
    const auto group = [shift](std::int64_t row) { return static_cast<std::size_t>(row >> shift); };
    const std::size_t groups = group(window.rows - 1) + 1;
    auto order = uninitialized<std::uint32_t>(edges.size());
    std::iota(order.get(), order.get() + edges.size(), std::uint32_t{0});
    Array<std::uint32_t> starts;
    sort_by([&](std::uint32_t i) { return group(std::max(edges[i].first_row, std::int64_t{0})); },
            groups, order, edges.size(), starts);
    const auto sums = std::make_unique<std::uint32_t[]>(
        static_cast<std::size_t>((band + CoverSums::rows_after) * pitch));

    std::size_t begin = 0; /* edges order[begin] .. order[end - 1] meet the band */
    for (std::int64_t first = 0; first < window.rows; first += band) {
        Interruption::stop_if_asked();
        const CoverSums rows = {sums.get(), pitch, first, std::min(first + band, window.rows)};
        const std::size_t end = starts[group(rows.end - 1) + 1];
        std::size_t kept = end; /* those that reach beyond the band move to the end */
        for_each_interruptible(std::size_t{0}, end - begin, [&](std::size_t i) {
            const std::uint32_t index = order[end - 1 - i];
            add(edges[index], rows);
            if (edges[index].last_row >= rows.end)
                order[--kept] = index;
        });
        begin = kept;
        for (std::int64_t row = first; row < rows.end; ++row)
            write(row, rows.row(row));
    }
}

} // namespace polymask::detail
