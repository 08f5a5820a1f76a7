/* Fractions by areas: the edges, and the public border. */

#include "polymask/coverage.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "checks.hpp"
#include "coverage_sums.hpp"
#include "dispatch.hpp"
#include "nesting.hpp"
#include "pace.hpp"
#include "rings.hpp"
#include "rounding.hpp"
#include "squares.hpp"

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

} // namespace

} // namespace detail

void coverage(const Polygon &polygon, std::int64_t rows, std::int64_t cols, std::span<float> out,
              const CoverageOptions &options)
{
    const detail::ToNearest rounding;
    detail::check(polygon);
    using detail::Window;
    const Window window = detail::checked_window(rows, cols, options);
    detail::check_size("out", out.size(), rows * cols, "floats");
    if (rows == 0 || cols == 0)
        return;
    const detail::Kernels &kernels = detail::choose_kernels(options.instruction_set);
    const auto factors = detail::orientations(polygon);
    const double shift = options.center ? 0 : 0.5; /* from samples to the borders before them */
    const auto fill = [&](const Window &part, float *first) {
        std::vector<detail::CoverEdge> edges;
        edges.reserve(polygon.vertices.size() / 2);
        detail::Pace pace;
        for (std::size_t i = 0; i < detail::ring_count(polygon); ++i)
            detail::collect(detail::ring_of(polygon, i), factors[i], shift, part, edges, pace);
        detail::sum_by_bands(
            edges, part,
            [&](const auto &edge, const auto &sums) { kernels.cover(edge, part, sums); },
            [&](std::int64_t row, std::uint32_t *sums) {
                kernels.write_fractions(sums, part.cols, first + row * cols, options.out_is_zero);
            });
    };
    detail::fill_reached(polygon, window, out.data(), options.out_is_zero, fill);
}

} // namespace polymask
