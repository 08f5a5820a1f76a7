// The scanline algorithm on bits: 64 pixels of a row are one word, and a word is scanned at once.
#pragma once

#include "inside_polygon.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace polymask
{

// The eight bytes, 0 or 1, of each number of eight bits; the lowest bit comes first.
inline constexpr auto bytes_of_bits = [] {
    std::array<std::array<std::uint8_t, 8>, 256> bytes{};
    for (unsigned bits = 0; bits < 256; bits++)
        for (unsigned k = 0; k < 8; k++)
            bytes[bits][k] = bits >> k & 1;
    return bytes;
}();

// Writes rows * cols bytes, 0 or 1: mask[y * cols + x]. Throws std::bad_alloc.
inline void scanline_bits(const double *vertices, std::ptrdiff_t n, std::ptrdiff_t rows,
                          std::ptrdiff_t cols, bool border_value, std::uint8_t *mask)
{
    // Pixel x of a row is bit x % 64 of its word x / 64; there is a bit for a toggle at `cols`.
    const std::ptrdiff_t words_per_row = cols / 64 + 1;
    std::vector<std::uint64_t> words(static_cast<std::size_t>(rows * words_per_row));

    for (std::ptrdiff_t i = 0; i < n; i++) {
        const double *p1 = vertices + 2 * i, *p2 = vertices + 2 * ((i + 1) % n);
        const double x1 = p1[0], y1 = p1[1], x2 = p2[0], y2 = p2[1];
        const double right = std::min(std::max(x1, x2), double(cols - 1));
        const double first = std::max(std::floor(std::min(y1, y2)) + 1, 0.0);
        const double last = std::min(std::floor(std::max(y1, y2)), double(rows - 1));
        for (double y = first; y <= last; y++) {
            const double x = std::floor(std::min(crossing_x(y, x1, y1, x2, y2), right));
            // scanline.rows also toggles pixel 0 for each crossing in the image. A row has an even
            // number of crossings, so the result is the same if pixel 0 is toggled for each of the
            // others instead: those left of the image, and NaN, which std::min keeps.
            const std::size_t pixel = x >= 0 ? static_cast<std::size_t>(x) + 1 : 0;
            const std::size_t word = static_cast<std::size_t>(y) * words_per_row + pixel / 64;
            words[word] ^= std::uint64_t(1) << pixel % 64;
        }
    }

    const std::uint64_t *next = words.data();
    for (std::ptrdiff_t y = 0; y < rows; y++, next += words_per_row) {
        std::uint8_t *line = mask + y * cols;
        std::uint64_t inside = 0; // all ones if the word before ends inside
        for (std::ptrdiff_t x = 0; x < cols; x += 64) {
            std::uint64_t word = next[x / 64];
            word ^= word << 1; // each bit: the parity of 2 toggles
            word ^= word << 2; // of 4
            word ^= word << 4;
            word ^= word << 8;
            word ^= word << 16;
            word ^= word << 32; // of all up to it
            word ^= inside;
            inside = -(word >> 63);
            const std::ptrdiff_t end = std::min(x + 64, cols);
            std::ptrdiff_t at = x;
            for (; at + 8 <= end; at += 8, word >>= 8)
                std::memcpy(line + at, bytes_of_bits[word & 255].data(), 8);
            for (; at < end; at++, word >>= 1)
                line[at] = word & 1;
        }
    }

    for (std::ptrdiff_t i = 0; i < n; i++) {
        const double x = vertices[2 * i], y = vertices[2 * i + 1];
        if (x == std::floor(x) && y == std::floor(y) && x >= 0 && x < cols && y >= 0 && y < rows)
            mask[static_cast<std::ptrdiff_t>(y) * cols + static_cast<std::ptrdiff_t>(x)] =
                border_value;
    }
}

} // namespace polymask
