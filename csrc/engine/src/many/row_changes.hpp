/* Where a row of pixels changes: eight bytes at a time, and 64 or 256 where nothing does. */
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace polymask::detail
{

template <class T> inline std::uint64_t differing_bits(const T *a, const T *b) noexcept
{
    std::uint64_t x, y;
    std::memcpy(&x, a, sizeof x);
    std::memcpy(&y, b, sizeof y);
    return x ^ y;
}

/* Whether so many bytes differ. Compilers make vectors of it. */
template <std::size_t bytes, class T> inline bool any_differs(const T *a, const T *b) noexcept
{
    T differing = 0;
    for (std::size_t i = 0; i < bytes / sizeof(T); ++i)
        differing = static_cast<T>(differing | (a[i] ^ b[i]));
    return differing != 0;
}

/* Calls found(x), x ascending from 1, where an element differs from the one before it. */
template <class T, class Found>
inline void each_change(const T *row, std::int64_t cols, const Found &found)
{
    constexpr int bits = 8 * sizeof(T), per_word = 64 / bits;
    constexpr std::int64_t per_block = 64 / sizeof(T);
    std::int64_t x = 1;
    while (x + per_block <= cols) {
        while (x + 4 * per_block <= cols && !any_differs<256>(row + x - 1, row + x))
            x += 4 * per_block;
        const std::int64_t end = x + per_block;
        if (end > cols)
            break;
        if (!any_differs<64>(row + x - 1, row + x)) {
            x = end;
            continue;
        }
        for (; x < end; x += per_word) {
            std::uint64_t word = differing_bits(row + x - 1, row + x);
            while (word != 0) { /* the elements of a word, in the order of memory */
                constexpr bool little = std::endian::native == std::endian::little;
                const int i = (little ? std::countr_zero(word) : std::countl_zero(word)) / bits;
                const int shift = bits * (little ? i : per_word - 1 - i);
                word &= ~((~std::uint64_t{0} >> (64 - bits)) << shift);
                found(x + i);
            }
        }
    }
    for (; x < cols; ++x)
        if (row[x] != row[x - 1])
            found(x);
}

} // namespace polymask::detail
