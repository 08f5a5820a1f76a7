/* Bands of rows in a mask: the positions of a band's samples in its bit buffer, and the polygon's
 * edges, prepared for one window and sorted by bands. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "kernels/formula.hpp"
#include "mask/window.hpp"
#include "polymask/polymask.hpp"
#include "support/array.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

/* A band's bit buffer has one bit per sample. A crossing toggles one bit; the exclusive or of all
 * bits up to a sample then tells whether it is inside. A crossing beyond the last column toggles
 * the bit after that column, and because each row has an even number of crossings, the exclusive or
 * is 0 again after that bit. There are three arrangements:
 *
 * - dense: row after row, and the stride is the row length of the output; the whole band is one run
 *   of bits, so narrow images have no additional cost per row.
 * - padded: each row is a separate run, columns beyond the last need not be toggled, and the stride
 *   distributes rows to different sets of the cache.
 * - tiled, for many edges: a word is a tile of 8 rows x 8 columns, a byte for each row, and 8 rows
 *   are `stride` bytes. A steep edge crosses 8 rows in one or two tiles, which take one or two
 *   accesses instead of 8. Before a mask is written, 8 rows at a time become separate runs.
 *
 * For a mask of bytes, bit b of a run goes to an address that equals b modulo 64: a word of 64 bits
 * becomes one aligned cache line of the output, regardless of the row length. */
struct Layout {
    /* Fixed-point positions (formula.hpp) have 24 bits before the point. */
    static constexpr std::int64_t max_cols = std::int64_t{1} << 20;
    static constexpr std::int64_t max_rows = std::int64_t{1} << 30;
    static constexpr std::int64_t tile_rows = 8;

    std::int64_t rows, cols;
    std::int64_t pitch; /* bytes of the output from row to row */
    std::int64_t
        stride; /* bits of the buffer from row to row, or bytes from 8 rows to the next 8 */
    std::int64_t bands;
    int band_shift; /* a band has 1 << band_shift rows */
    bool packed, dense, tiled;

    Layout(const Window &window, std::int64_t row_bytes, bool in_bits,
           std::span<const double> vertices, int threads, bool can_tile) noexcept;

    std::int64_t band_rows() const noexcept { return std::int64_t{1} << band_shift; }
    std::int64_t band_of(std::int64_t row) const noexcept { return row >> band_shift; }
    /* Returns the number of a sample's bit in the buffer, if the first sample has number 0. */
    std::uint64_t bit(std::int64_t row, std::int64_t column) const noexcept
    {
        return static_cast<std::uint64_t>(tiled ? row / 8 * 8 * stride + column / 8 * 64 +
                                                      row % 8 * 8 + column % 8
                                                : row * stride + column);
    }
    /* 64-bit words of a band's bits, of tiles' rows as runs, and of one thread's buffer for both,
     * with some extra for reads and writes of whole blocks */
    std::size_t band_words() const noexcept
    {
        return static_cast<std::size_t>((stride << band_shift) / 64);
    }
    std::size_t run_words() const noexcept
    {
        return static_cast<std::size_t>(tiled ? stride / 8 : 0);
    }
    std::size_t buffer_words() const noexcept { return band_words() + run_words() + 16; }
};

/* One band: rows first .. first + rows - 1; sample 0 of its first row is bit `first_bit` of its
 * run.
 */
struct Band {
    std::int64_t index, first, rows;
    std::int64_t first_bit = 0, bits_to_next = 0; /* modulo 64 */
    std::uint8_t *out;                            /* the output of the first row */

    Band(const Layout &layout, std::int64_t number, std::uint8_t *mask) noexcept
        : index(number), first(index << layout.band_shift),
          rows(std::min(layout.band_rows(), layout.rows - first)), out(mask + first * layout.pitch)
    {
        if (!layout.packed) {
            first_bit = reinterpret_cast<std::uintptr_t>(out) % 64;
            bits_to_next = layout.pitch % 64;
        }
    }
    std::int64_t first_bit_of(std::int64_t row) const noexcept
    {
        return (first_bit + row * bits_to_next) % 64;
    }
};

/* An edge that crosses rows first .. first + rows - 1. */
struct Edge {
    Stepping stepping;
    std::uint32_t first, rows;
    std::uint32_t p1, p2; /* its vertices, for the formula */
};

/* A sample that is toggled, or that coincides with a vertex. */
struct Sample {
    std::uint32_t row, column;
};

/* All input of the bands. Edges of one to three rows, of which large polygons have many, are stored
 * as their crossings. */
class EdgeTable
{
  public:
    /* Throws std::bad_alloc, and Interrupted. */
    EdgeTable(const Polygon &polygon, const Window &samples, const Layout &layout,
              const Rule &rule);

    Window window;
    const double *vertices;

    const Edge &edge(std::uint32_t index) const noexcept { return edges_[index]; }

    /* Calls visit(begin, end) with ranges of edge() that contain all edges of a band, and a few
     * others: the edges of a level start within its reach. */
    template <class Visit> void for_ranges(std::int64_t band, Visit visit) const noexcept
    {
        for (int level = 0; level < levels_; ++level) {
            const std::int64_t reach = std::int64_t{1} << level;
            const std::int64_t from = std::max(band - reach + 1, std::int64_t{0});
            const std::uint32_t *start = edge_starts_.get() + level * bands_;
            if (start[from] != start[band + 1])
                visit(start[from], start[band + 1]);
        }
    }
    std::span<const Sample> crossings(std::int64_t band) const noexcept
    {
        return of_band(crossings_, crossing_starts_, band);
    }
    /* Vertices on samples. */
    std::span<const Sample> stamps() const noexcept { return {stamps_.get(), stamp_count_}; }

  private:
    void collect(const Polygon &polygon, const Layout &layout, const Rule &rule);

    static std::span<const Sample> of_band(const Array<Sample> &samples,
                                           const Array<std::uint32_t> &starts,
                                           std::int64_t band) noexcept
    {
        const auto i = static_cast<std::size_t>(band);
        return {samples.get() + starts[i], samples.get() + starts[i + 1]};
    }

    std::int64_t bands_;
    int levels_;
    std::size_t edge_count_ = 0, crossing_count_ = 0, stamp_count_ = 0;
    Array<Edge> edges_;
    Array<Sample> crossings_, stamps_;
    Array<std::uint32_t> edge_starts_, crossing_starts_;
};

/* One thread's work memory for a band's bits, which are all zero between bands. */
inline Array<std::uint64_t> workspace(const Layout &layout)
{
    return std::make_unique<std::uint64_t[]>(layout.buffer_words());
}

} // namespace polymask::inline POLYMASK_ABI::detail
