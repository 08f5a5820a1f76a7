/* The mask of the squares that a polygon touches: squares that an edge meets (touched.hpp), and
 * squares inside.
 *
 * Both are running sums along the row: the number of spans that have begun and not ended, and, in
 * the highest bit, the parity of the edges passed. */

#include "polymask/touched.hpp"

#include <algorithm>
#include <vector>

#include "coverage/rings.hpp"
#include "coverage/squares.hpp"
#include "coverage/touched.hpp"
#include "parallel/interrupt_poller.hpp"
#include "support/checks.hpp"
#include "support/processor.hpp"

namespace polymask
{

namespace detail
{

namespace
{

class Toucher
{
  public:
    Toucher(const Window &window, Squares squares) noexcept
        : cols_(window.cols), borders_(window, squares)
    {
    }

    /* Appends the edges that meet a row of the window. */
    void collect(std::span<const double> ring, std::vector<TouchEdge> &edges,
                 InterruptPoller &poller) const
    {
        borders_.for_edges(ring, poller, [&](const TouchEdge &e) { edges.push_back(e); });
    }

    void add(const TouchEdge &e, const CoverSums &out) const noexcept
    {
        const std::int64_t from = std::max(e.first_row, out.first),
                           end = std::min(e.last_row + 1, out.end);
        if (from >= end)
            return;
        Borders::Walk walk(borders_, e, from);
        for (std::int64_t row = from; row < end; ++row) {
            const TouchSpan span = walk.next(borders_, row);
            std::uint32_t *sums = out.row(row);
            if (span.begin < span.end) {
                sums[span.begin] += 1;
                sums[span.end] -= 1;
            }
            if (span.crosses)
                sums[span.begin] ^= parity;
        }
    }

    void write(std::uint32_t *sums, std::uint8_t *out) const noexcept
    {
        std::uint32_t sum = 0;
        for (std::int64_t column = 0; column < cols_; column += 16) {
            std::uint32_t *block = sums + column;
            const std::int64_t size = std::min(cols_ - column, std::int64_t{16});
            std::uint32_t any = 0;
            for (int i = 0; i < 16; ++i)
                any |= block[i];
            if (any == 0) {
                std::fill_n(out + column, size, static_cast<std::uint8_t>(sum != 0));
                continue;
            }
            for (std::int64_t i = 0; i < size; ++i) {
                sum += block[i];
                out[column + i] = sum != 0;
            }
            std::fill_n(block, 16, 0u);
        }
        sums[cols_] = 0;
    }

  private:
    static constexpr std::uint32_t parity = std::uint32_t{1} << 31;

    std::int64_t cols_;
    Borders borders_;
};

} // namespace

} // namespace detail

void fill_touched(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                  std::span<std::uint8_t> out, const Options &options)
{
    const detail::ScopedRounding rounding;
    using detail::Window;
    detail::check(polygon);
    const Squares squares = options.touched.value_or(Squares::closed);
    detail::check_enum("touched", squares, Squares::open);
    const Window window = detail::checked_window(rows, cols, options);
    const auto image = detail::checked_image(out, window, options, "bytes");
    if (rows == 0 || cols == 0)
        return;
    const auto fill = [&](const Window &part, const detail::Image<std::uint8_t> &out_part) {
        const detail::Toucher toucher(part, squares);
        std::vector<detail::TouchEdge> edges;
        edges.reserve(polygon.vertices.size() / 2);
        detail::InterruptPoller poller;
        for (std::size_t i = 0; i < detail::ring_count(polygon); ++i)
            toucher.collect(detail::ring_of(polygon, i), edges, poller);
        detail::sum_by_bands(
            edges, part, [&](const auto &edge, const auto &sums) { toucher.add(edge, sums); },
            [&](std::int64_t row, std::uint32_t *sums) { toucher.write(sums, out_part.row(row)); });
    };
    detail::fill_reached(polygon, window, image, options.out_is_zero, options.dirty, fill);
}

} // namespace polymask
