/* Fractions by samples: a finer mask, counted. */

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "coverage/squares.hpp"
#include "polymask/coverage.hpp"
#include "support/checks.hpp"
#include "support/rounding.hpp"

namespace polymask
{

namespace
{

constexpr std::int64_t part_bytes = std::int64_t{1} << 20;

/* Of `count` <= 32 bits from `first` on, how many are set. Reads five bytes. */
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
                      std::span<float> out, const CoverageOptions &options)
{
    const detail::ToNearest rounding;
    detail::check(polygon);
    if (subpixels < 1 || subpixels > max_subpixels)
        detail::refuse("subpixels: 1 to " + std::to_string(max_subpixels) + ", got " +
                       std::to_string(subpixels));
    detail::checked_window(rows, cols, options);
    const std::int64_t n = subpixels;
    const auto far = [n](std::int64_t offset, std::int64_t size) {
        const std::int64_t most = detail::Window::max_sample / n;
        return offset < 1 - most || offset > most - size - 1;
    };
    if (far(options.row_offset, rows) || far(options.column_offset, cols))
        detail::refuse("offset: (" + std::to_string(options.row_offset) + ", " +
                       std::to_string(options.column_offset) + ") is beyond 2^50 / subpixels");
    detail::check_size("out", out.size(), rows * cols, "floats");
    std::vector<double> vertices(polygon.vertices.begin(), polygon.vertices.end());
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        vertices[i] *= subpixels;
        if (!std::isfinite(vertices[i]))
            detail::refuse("vertices: vertex " + std::to_string(i / 2) +
                           " is not finite when it is multiplied by subpixels");
    }
    if (rows == 0 || cols == 0)
        return;

    /* Sample k of pixel i lies at n i + k + 0.5, less n / 2 where the sample is the centre. */
    Options fine;
    fine.center = options.center || n % 2 == 0;
    fine.threads = 1;
    fine.instruction_set = options.instruction_set;
    const std::int64_t before = options.center ? 0 : n / 2;
    fine.column_offset = n * options.column_offset - before;

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
                out[static_cast<std::size_t>(row * cols + column)] =
                    static_cast<float>(count) / static_cast<float>(n * n);
            }
        }
    }
}

} // namespace polymask
