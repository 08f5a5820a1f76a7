/* Fractions by areas and by samples: the edges, and the public functions. */

#include "polymask/coverage.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "coverage/rings.hpp"
#include "coverage/squares.hpp"
#include "kernels/kernels.hpp"
#include "parallel/interrupt_poller.hpp"
#include "support/checks.hpp"
#include "support/processor.hpp"

namespace polymask
{

namespace detail
{

namespace
{

struct Height {
    double row; /* an integer */
    std::uint32_t units;
};

/* Returns the row of a height, and the position in the row. */
Height height_of(double y) noexcept
{
    const double row = std::floor(y);
    const auto units = static_cast<std::uint32_t>((y - row) * 0x1p31 + 0.5);
    return units < 0x80000000u ? Height{row, units} : Height{row + 1, 0};
}

/* Returns a row's index; all rows before the window have the same index, and all rows after it. */
std::int64_t row_in(const Window &window, double row) noexcept
{
    const double first = static_cast<double>(window.row_offset);
    return static_cast<std::int64_t>(
               std::min(std::max(row, first - 2), first + static_cast<double>(window.rows) + 2)) -
           window.row_offset;
}

/* Appends the edges of a ring that reach the window's rows. */
void collect(std::span<const double> ring, int factor, double shift, const Window &window,
             std::vector<CoverEdge> &edges, InterruptPoller &poller)
{
    double x1 = ring[ring.size() - 2] + shift, y1 = ring[ring.size() - 1] + shift;
    for (std::size_t i = 0; i < ring.size(); i += 2) {
        poller.count(1);
        const double x2 = ring[i] + shift, y2 = ring[i + 1] + shift;
        const bool downwards = y1 <= y2;
        CoverEdge e = {.x1 = downwards ? x1 : x2,
                       .y1 = downwards ? y1 : y2,
                       .x2 = downwards ? x2 : x1,
                       .y2 = downwards ? y2 : y1,
                       .factor = downwards ? factor : -factor};
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
        e.steepness = std::fabs(dy / dx); /* infinite if dx is 0 */
        e.far = !(std::max({std::fabs(e.x1), std::fabs(e.y1), std::fabs(e.x2), std::fabs(e.y2)}) <=
                  0x1p50);
        edges.push_back(e);
    }
}

/* Calls write(sums, cols, out) for each row that the polygon reaches; other elements are set to
 * zero, unless they are zero already. */
template <class T, class Write>
void cover(const Polygon &polygon, std::int64_t rows, std::int64_t cols, std::span<T> out,
           const Options &options, const char *items, bool out_is_zero, Write write)
{
    const ScopedRounding rounding;
    check(polygon);
    const Window window = checked_window(rows, cols, options);
    const Image<T> image = checked_image(out, window, options, items);
    if (rows == 0 || cols == 0)
        return;
    const Kernels &kernels = choose_kernels(options.instruction_set);
    const auto factors = orientations(polygon);
    const double shift = options.center ? 0 : 0.5; /* from samples to the preceding borders */
    const auto fill = [&](const Window &part, const Image<T> &out_part) {
        std::vector<CoverEdge> edges;
        edges.reserve(polygon.vertices.size() / 2);
        InterruptPoller poller;
        for (std::size_t i = 0; i < ring_count(polygon); ++i)
            collect(ring_of(polygon, i), factors[i], shift, part, edges, poller);
        sum_by_bands(
            edges, part,
            [&](const auto &edge, const auto &sums) { kernels.cover(edge, part, sums); },
            [&](std::int64_t row, std::uint32_t *sums) {
                write(kernels, sums, part.cols, out_part.row(row));
            });
    };
    fill_reached(polygon, window, image, out_is_zero, options.dirty, fill);
}

/* Adds a row's fractions without rounding, and sets its sums to zero. */
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
              const Options &options)
{
    const bool is_zero = options.out_is_zero;
    detail::cover(polygon, rows, cols, out, options, "floats", is_zero,
                  [is_zero](const auto &kernels, auto *sums, std::int64_t count, float *row) {
                      kernels.write_fractions(sums, count, row, is_zero);
                  });
}

void add_coverage(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                  std::span<double> out, const Options &options)
{
    detail::refuse_dirty(options);
    constexpr bool keeps_the_rest = true;
    detail::cover(polygon, rows, cols, out, options, "doubles", keeps_the_rest,
                  [](const auto &, auto *sums, std::int64_t count, double *row) {
                      detail::add_fractions(sums, count, row);
                  });
}

/* Fractions by samples: counts in a finer mask. */
namespace
{

constexpr std::int64_t part_bytes = std::int64_t{1} << 20;

/* Returns the number of set bits among `count` <= 32 bits from `first` on. Reads five bytes. */
int count_bits(const std::uint8_t *bits, std::int64_t first, int count) noexcept
{
    const std::uint8_t *at = bits + first / 8;
    std::uint64_t word = 0;
    for (int i = 0; i < 5; ++i)
        word |= std::uint64_t{at[i]} << 8 * i;
    return std::popcount(word >> first % 8 & ((std::uint64_t{1} << count) - 1));
}

} // namespace

void coverage_samples(const Polygon &polygon, std::int64_t rows, std::int64_t cols, int subpixels,
                      std::span<float> out, const Options &options)
{
    const detail::ScopedRounding rounding;
    detail::check(polygon);
    detail::refuse_dirty(options);
    if (subpixels < 1 || subpixels > max_subpixels)
        detail::refuse("subpixels: 1 to " + std::to_string(max_subpixels) + ", got " +
                       std::to_string(subpixels));
    const detail::Window window = detail::checked_window(rows, cols, options);
    const std::int64_t n = subpixels;
    const auto far = [n](std::int64_t offset, std::int64_t size) {
        const std::int64_t most = detail::Window::max_sample / n;
        return offset < 1 - most || offset > most - size - 1;
    };
    if (far(options.row_offset, rows) || far(options.column_offset, cols))
        detail::refuse("offset: (" + std::to_string(options.row_offset) + ", " +
                       std::to_string(options.column_offset) + ") is beyond 2^50 / subpixels");
    const auto image = detail::checked_image(out, window, options, "floats");
    std::vector<double> vertices(polygon.vertices.begin(), polygon.vertices.end());
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        vertices[i] *= subpixels;
        if (!std::isfinite(vertices[i]))
            detail::refuse("vertices: vertex " + std::to_string(i / 2) +
                           " is not finite after the multiplication by subpixels");
    }
    if (rows == 0 || cols == 0)
        return;

    /* Sample k of pixel i lies at n i + k + 0.5, minus n / 2 if samples are the centres. */
    const std::int64_t before = options.center ? 0 : n / 2;
    Options fine = {.center = options.center || n % 2 == 0,
                    .column_offset = n * options.column_offset - before,
                    .threads = 1,
                    .instruction_set = options.instruction_set};

    const std::int64_t row_bytes = packed_row_bytes(n * cols);
    const std::int64_t high =
        std::min(std::max(part_bytes / (n * row_bytes), std::int64_t{1}), rows);
    constexpr std::int64_t read_beyond = 4;
    const auto bits = std::make_unique<std::uint8_t[]>(
        static_cast<std::size_t>(high * n * row_bytes + read_beyond));
    for (std::int64_t first = 0; first < rows; first += high) {
        Interruption::stop_if_asked();
        const std::int64_t end = std::min(first + high, rows);
        fine.row_offset = n * (options.row_offset + first) - before;
        fill_packed({vertices, polygon.ring_starts}, n * (end - first), n * cols,
                    {bits.get(), static_cast<std::size_t>(n * (end - first) * row_bytes)}, fine);
        for (std::int64_t row = first; row < end; ++row) {
            const std::uint8_t *lines = bits.get() + (row - first) * n * row_bytes;
            for (std::int64_t column = 0; column < cols; ++column) {
                int count = 0;
                for (std::int64_t line = 0; line < n; ++line)
                    count += count_bits(lines + line * row_bytes, n * column, subpixels);
                image.row(row)[column] = static_cast<float>(count) / static_cast<float>(n * n);
            }
        }
    }
}

} // namespace polymask
