#include "support/layout.hpp"

#include <bit>

namespace polymask::detail
{

namespace
{

constexpr std::int64_t dense_cols = 2048;
constexpr std::int64_t small_buffer = std::int64_t{1} << 18; /* bits: 32 KiB, the first cache */
constexpr std::int64_t large_buffer = std::int64_t{9} << 18; /* bits: 288 KiB */
constexpr std::size_t many_vertices = 512;
/* Vertices times rows of a band: random edges cross a third of that, in a tenth of a second. Who
 * wants to stop the call is asked between bands. */
constexpr std::size_t long_band = std::size_t{1} << 29;
constexpr int few_rows_shift = 8; /* an edge costs less per band than its crossings then */

std::int64_t padded_stride(std::int64_t cols, std::int64_t pitch, bool packed) noexcept
{
    /* At least one word between rows; the last bits those of the output (Layout). */
    std::int64_t stride = cols + 64;
    stride += ((packed ? 0 : pitch) - stride) & 63;
    /* An odd number of cache lines: rows a power of two apart would meet in a few sets. */
    while (stride > 512 && (stride >> 9) % 2 == 0)
        stride += 64;
    return stride;
}

} // namespace

Layout::Layout(const Window &window, std::int64_t row_bytes, bool in_bits, std::size_t vertices,
               int threads) noexcept
    : rows(window.rows), cols(window.cols), pitch(row_bytes), packed(in_bits)
{
    const std::int64_t row_bits = packed ? (cols + 7) / 8 * 8 : cols;
    dense = cols <= dense_cols && pitch == (packed ? row_bits / 8 : row_bits);
    stride = dense ? row_bits : padded_stride(cols, pitch, packed);

    /* Many edges want tall bands, as each edge costs some nanoseconds per band; few want a small
     * buffer, which leaves the caches to the mask. */
    ordered = !dense && vertices >= many_vertices;
    const std::int64_t buffer = ordered ? large_buffer : small_buffer;
    const std::int64_t fitting = std::max(buffer / stride, std::int64_t{ordered ? 64 : 8});
    const auto floor_log2 = [](std::int64_t n) {
        return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) - 1;
    };
    band_shift = std::min(floor_log2(fitting), floor_log2(2 * rows - 1));
    /* never beyond the 24 bits before the point, and some bands for each thread */
    const auto too_tall = [&] { return (stride << band_shift) > (std::int64_t{1} << 23); };
    const auto too_few = [&] { return threads > 1 && band_of(rows - 1) < 4 * threads - 1; };
    const auto too_long = [&] { return vertices > (long_band >> band_shift); };
    while (band_shift > 0 && (too_tall() || (too_few() && band_shift > 3) ||
                              (too_long() && band_shift > few_rows_shift)))
        --band_shift;
    bands = band_of(rows - 1) + 1;
}

} // namespace polymask::detail
