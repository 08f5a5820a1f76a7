/* Fractions by areas: the edges, and the public border. */

#include "polymask/coverage.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "coverage/coverage_sums.hpp"
#include "coverage/squares.hpp"
#include "kernels/dispatch.hpp"
#include "mask/rings.hpp"
#include "outlines/nesting.hpp"
#include "parallel/pace.hpp"
#include "support/checks.hpp"
#include "support/rounding.hpp"

namespace polymask
{

namespace detail
{

namespace
{

struct Height {
    double row; /* a whole number */
    std::uint32_t units;
};

/* In which row a height lies, and where in it. */
Height height_of(double y) noexcept
{
    const double row = std::floor(y);
    const auto units = static_cast<std::uint32_t>((y - row) * 0x1p31 + 0.5);
    return units < 0x80000000u ? Height{row, units} : Height{row + 1, 0};
}

/* Rows beyond the window are told from those inside, and no more. */
std::int64_t row_in(const Window &window, double row) noexcept
{
    const double first = static_cast<double>(window.row_offset);
    return static_cast<std::int64_t>(
               std::min(std::max(row, first - 2), first + static_cast<double>(window.rows) + 2)) -
           window.row_offset;
}

/* Appends the edges of a ring that reach the window's rows. */
void collect(std::span<const double> ring, int factor, double shift, const Window &window,
             std::vector<CoverEdge> &edges, Pace &pace)
{
    double x1 = ring[ring.size() - 2] + shift, y1 = ring[ring.size() - 1] + shift;
    for (std::size_t i = 0; i < ring.size(); i += 2) {
        pace.after(1);
        const double x2 = ring[i] + shift, y2 = ring[i + 1] + shift;
        const bool downwards = y1 <= y2;
        CoverEdge e = {downwards ? x1 : x2,
                       downwards ? y1 : y2,
                       downwards ? x2 : x1,
                       downwards ? y2 : y1,
                       0,
                       0,
                       0,
                       0,
                       0,
                       0,
                       downwards ? factor : -factor,
                       false};
        x1 = x2;
        y1 = y2;
        const Height first = height_of(e.y1), last = height_of(e.y2);
        if (first.row == last.row && first.units == last.units)
            continue;
        e.first_row = row_in(window, first.row);
        e.last_row = row_in(window, last.row);
        if (e.last_row < 0 || e.first_row >= window.rows)
            continue;
        e.first_y = first.units;
        e.last_y = last.units;
        const double dx = e.x2 - e.x1, dy = e.y2 - e.y1;
        e.slope = dx / dy;
        e.steepness = std::fabs(dy / dx); /* infinite where dx is 0 */
        e.far = !(std::max({std::fabs(e.x1), std::fabs(e.y1), std::fabs(e.x2), std::fabs(e.y2)}) <=
                  0x1p50);
        edges.push_back(e);
    }
}

/* Calls write(sums, cols, out) for each row that the polygon reaches; other elements become zero,
 * unless they are. */
template <class T, class Write>
void cover(const Polygon &polygon, std::int64_t rows, std::int64_t cols, std::span<T> out,
           const CoverageOptions &options, const char *items, bool out_is_zero, Write write)
{
    const ToNearest rounding;
    check(polygon);
    const Window window = checked_window(rows, cols, options);
    check_size("out", out.size(), rows * cols, items);
    if (rows == 0 || cols == 0)
        return;
    const Kernels &kernels = choose_kernels(options.instruction_set);
    const auto factors = orientations(polygon);
    const double shift = options.center ? 0 : 0.5; /* from samples to the borders before them */
    const auto fill = [&](const Window &part, T *first) {
        std::vector<CoverEdge> edges;
        edges.reserve(polygon.vertices.size() / 2);
        Pace pace;
        for (std::size_t i = 0; i < ring_count(polygon); ++i)
            collect(ring_of(polygon, i), factors[i], shift, part, edges, pace);
        sum_by_bands(
            edges, part,
            [&](const auto &edge, const auto &sums) { kernels.cover(edge, part, sums); },
            [&](std::int64_t row, std::uint32_t *sums) {
                write(kernels, sums, part.cols, first + row * cols);
            });
    };
    fill_reached(polygon, window, out.data(), out_is_zero, fill);
}

/* Adds a row's fractions, not rounded, and leaves its sums zero again. */
void add_fractions(std::uint32_t *sums, std::int64_t cols, double *out) noexcept
{
    std::uint32_t sum = 0;
    for (std::int64_t c = -CoverSums::margin; c < cols; ++c) {
        sum += sums[c];
        if (c >= 0)
            out[c] += to_exact_fraction(sum);
    }
    std::fill(sums - CoverSums::margin, sums + cols + CoverSums::margin, 0u);
}

} // namespace

} // namespace detail

void coverage(const Polygon &polygon, std::int64_t rows, std::int64_t cols, std::span<float> out,
              const CoverageOptions &options)
{
    const bool is_zero = options.out_is_zero;
    detail::cover(polygon, rows, cols, out, options, "floats", is_zero,
                  [is_zero](const auto &kernels, auto *sums, std::int64_t count, float *row) {
                      kernels.write_fractions(sums, count, row, is_zero);
                  });
}

void add_coverage(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                  std::span<double> out, const CoverageOptions &options)
{
    constexpr bool keeps_the_rest = true;
    detail::cover(polygon, rows, cols, out, options, "doubles", keeps_the_rest,
                  [](const auto &, auto *sums, std::int64_t count, double *row) {
                      detail::add_fractions(sums, count, row);
                  });
}

} // namespace polymask
