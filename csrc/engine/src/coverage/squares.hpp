/* The window of pixels' squares: checked, cut to what a polygon reaches, and taken by bands. */
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "coverage/coverage_sums.hpp"
#include "mask/box.hpp"
#include "parallel/pace.hpp"
#include "polymask/interruption.hpp"
#include "support/checks.hpp"
#include "support/samples.hpp"

namespace polymask::detail
{

/* `options` has row_offset, column_offset and center. Throws std::invalid_argument. All samples and
 * borders of squares are exact as doubles then: see Window. */
template <class O> Window checked_window(std::int64_t rows, std::int64_t cols, const O &options)
{
    check_window(rows, cols, options.row_offset, options.column_offset);
    check_near(rows, cols, options.row_offset, options.column_offset);
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

/* Calls fill(window, out) for parts of the window that hold all that the polygon reaches, each of
 * at most 2^20 columns; out is the part's first element. The rest becomes zero, unless it is. */
template <class T, class Fill>
void fill_reached(const Polygon &polygon, const Window &window, T *out, bool out_is_zero, Fill fill)
{
    constexpr std::int64_t most_cols = std::int64_t{1} << 20;
    const std::int64_t rows = window.rows, cols = window.cols;
    auto [top, bottom, left, right] = touched_box_of(Extent(polygon.vertices), window);
    if (top >= bottom || left >= right)
        top = bottom = left = right = 0;
    /* Whole rows lie one behind the other, which is worth more than a few columns. */
    if (!out_is_zero && right - left > cols / 2)
        left = 0, right = cols;
    for (std::int64_t column = left; column < right; column += most_cols)
        fill(Window{bottom - top, std::min(right - column, most_cols), window.row_offset + top,
                    window.column_offset + column, window.half},
             out + top * cols + column);
    if (out_is_zero)
        return;
    zero(out, top * cols);
    zero(out + bottom * cols, (rows - bottom) * cols);
    if (left > 0 || right < cols)
        for (std::int64_t row = top; row < bottom; ++row) {
            zero(out + row * cols, left);
            zero(out + row * cols + right, cols - right);
        }
}

/* Sums up what edges add to the rows of a window, a band after the other: add(edge, sums) for each
 * edge that meets the band, by its first_row and last_row, then write(row, sums), which leaves the
 * sums of the row zero. Throws std::bad_alloc before that, Interrupted at any time. */
template <class Edge, class Add, class Write>
void sum_by_bands(std::vector<Edge> &edges, const Window &window, Add add, Write write)
{
    constexpr std::int64_t band_numbers = std::int64_t{1} << 17; /* to fit the second cache */
    sort_asking(edges.begin(), edges.end(),
                [](const Edge &a, const Edge &b) { return a.first_row < b.first_row; });
    std::vector<std::uint32_t> active;
    active.reserve(edges.size());
    const std::int64_t pitch = CoverSums::pitch_of(window.cols);
    const std::int64_t band =
        std::min(std::max(band_numbers / pitch, std::int64_t{1}), window.rows);
    const auto sums = std::make_unique<std::uint32_t[]>(
        static_cast<std::size_t>((band + CoverSums::rows_after) * pitch));

    std::size_t next = 0;
    for (std::int64_t first = 0; first < window.rows; first += band) {
        Interruption::stop_if_asked();
        const CoverSums rows = {sums.get(), pitch, first, std::min(first + band, window.rows)};
        for (; next < edges.size() && edges[next].first_row < rows.end; ++next)
            active.push_back(static_cast<std::uint32_t>(next));
        std::size_t kept = 0;
        for_each_asking(std::size_t{0}, active.size(), [&](std::size_t i) {
            const std::uint32_t index = active[i];
            add(edges[index], rows);
            if (edges[index].last_row >= rows.end)
                active[kept++] = index;
        });
        active.resize(kept);
        for (std::int64_t row = first; row < rows.end; ++row)
            write(row, rows.row(row));
    }
}

} // namespace polymask::detail
