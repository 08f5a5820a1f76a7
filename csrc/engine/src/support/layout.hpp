/* How the mask is cut into bands of rows, and where a band's samples lie in its bit buffer. */
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/samples.hpp"

namespace polymask::detail
{

/* A band's bit buffer holds one bit per sample, row after row, `stride` bits apart. A crossing
 * toggles one bit; the exclusive or of all bits up to a sample then says whether it is inside. The
 * toggle of a crossing beyond the last column lands in the bit after it, and as each row has an
 * even number of crossings, the exclusive or is 0 again behind that bit. So rows need no
 * separation:
 *
 * - dense: the stride is the row length of the output; the whole band is one run of bits, and
 * narrow images cost nothing extra per row.
 * - otherwise rows are padded: each is a run of its own, columns beyond the last need not be
 *   toggled, and the stride keeps rows apart in the sets of the cache.
 *
 * For a mask of bytes, bit b of the buffer goes to an address that is b modulo 64: a word of 64
 * bits becomes one aligned cache line of the output, however long its rows are. */
struct Layout {
    /* Fixed-point positions (fixed_point.hpp) have 24 bits before the point. */
    static constexpr std::int64_t max_cols = std::int64_t{1} << 20;
    static constexpr std::int64_t max_rows = std::int64_t{1} << 30;
    static constexpr int strip_shift = 9; /* columns that share a cache line of the buffer */

    std::int64_t rows, cols;
    std::int64_t pitch;  /* bytes of the output from row to row */
    std::int64_t stride; /* bits of the buffer from row to row */
    std::int64_t bands;
    int band_shift; /* a band has 1 << band_shift rows */
    bool packed, dense;
    bool ordered; /* toggle a band's edges strip by strip: its buffer outgrows the first cache */

    Layout(const Window &window, std::int64_t row_bytes, bool in_bits, std::size_t vertices,
           int threads) noexcept;

    std::int64_t band_rows() const noexcept { return std::int64_t{1} << band_shift; }
    std::int64_t band_of(std::int64_t row) const noexcept { return row >> band_shift; }
    std::int64_t strips() const noexcept { return (cols >> strip_shift) + 1; }
    /* 64-bit words of one band's buffer, and some for what reads or writes whole blocks */
    std::size_t buffer_words() const noexcept
    {
        return static_cast<std::size_t>((stride << band_shift) / 64) + 16;
    }
};

/* One band: rows first .. first + rows - 1; sample 0 of its first row is bit `first_bit`. */
struct Band {
    std::int64_t index, first, rows;
    std::int64_t first_bit;
    std::uint8_t *out; /* the first row's */

    Band(const Layout &layout, std::int64_t number, std::uint8_t *mask) noexcept
        : index(number), first(index << layout.band_shift),
          rows(std::min(layout.band_rows(), layout.rows - first)), out(mask + first * layout.pitch)
    {
        first_bit = layout.packed ? 0 : reinterpret_cast<std::uintptr_t>(out) % 64;
    }
};

} // namespace polymask::detail
