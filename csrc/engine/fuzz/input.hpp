/* The meaning of a fuzzer's bytes: numbers, and kinds of coordinates that often break code.
 *
 * Every sequence of bytes is valid input, followed by zeros. A target reads the input that it needs
 * and calls require() with conditions: if one does not hold, the process ends, which libFuzzer and
 * replay.cpp detect. */
#pragma once

#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <vector>

namespace polymask::fuzz
{

/* The parts of the message are joined only if it is printed. */
template <class... Parts> void require(bool holds, const Parts &...parts)
{
    if (holds)
        return;
    std::ostringstream text;
    (text << ... << parts);
    std::fprintf(stderr, "differs: %s\n", text.str().c_str());
    std::abort();
}

class Input
{
  public:
    Input(const std::uint8_t *data, std::size_t size) : at_(data), end_(data + size) {}

    bool empty() const { return at_ == end_; }
    std::uint8_t byte() { return at_ == end_ ? 0 : *at_++; }
    bool flag() { return byte() % 2 == 1; }
    bool one_in(int n) { return byte() % n == 1; } /* false for zeros */

    /* Returns a value of any type without invalid bit patterns. */
    template <class T> T raw()
    {
        std::array<std::uint8_t, sizeof(T)> bytes{};
        for (std::size_t i = 0; i < sizeof(T); ++i)
            bytes[i] = byte();
        return std::bit_cast<T>(bytes);
    }
    /* Returns a number low .. high from one byte, or from two if there are more than 256 values. */
    std::int64_t integer(std::int64_t low, std::int64_t high)
    {
        const std::int64_t count = high - low + 1;
        return low + (count <= 256 ? byte() : raw<std::uint16_t>()) % count;
    }
    template <class T, std::size_t n> T one_of(const T (&values)[n]) { return values[byte() % n]; }

  private:
    const std::uint8_t *at_, *end_;
};

/* Limits of the coordinates. */
struct Coordinates {
    double most = DBL_MAX;  /* the maximum */
    bool any_bits = false;  /* include numbers that are not finite */
    int most_vertices = 16; /* in a ring with explicit vertices */
};

/* Returns a coordinate near 0 .. size after `from`. `earlier`: the coordinates of the previous
 * vertices, every second one. */
inline double coordinate(Input &input, double from, std::int64_t size,
                         const std::vector<double> &earlier, std::size_t axis,
                         const Coordinates &wanted)
{
    const std::size_t vertices = earlier.size() / 2;
    const auto before = [&](std::size_t back) {
        return back <= vertices && back > 0 ? earlier[2 * (vertices - back) + axis] : from;
    };
    const auto whole = [&] { return from + static_cast<double>(input.integer(-9, size + 9)); };
    const int kind = input.byte() % 16;
    double value = 0;
    switch (kind) {
    default:
        value = whole();
        break;
    case 4:
        value = whole() + 0.5;
        break;
    case 5: /* a multiple of a small power of two */
        value = whole() + std::ldexp(input.byte(), -static_cast<int>(input.integer(1, 30)));
        break;
    case 6: /* that of an earlier vertex: repeated vertices, vertical and horizontal edges */
        value = before(static_cast<std::size_t>(input.integer(1, 8)));
        break;
    case 7: /* on the line through the previous two, or close to it */
        value = before(1) + (before(1) - before(2)) * input.byte() / 16;
        break;
    case 8:
        value = std::nextafter(whole(), input.flag() ? DBL_MAX : -DBL_MAX);
        break;
    case 9: /* with more bytes after the point: real numbers */
        value = whole() + static_cast<double>(input.raw<std::uint32_t>()) / 0x1p32;
        break;
    case 10:
        value = whole() + static_cast<double>(input.byte()) / 3;
        break;
    case 11:
        value = std::ldexp(whole(), static_cast<int>(input.raw<std::int16_t>()) % 1100);
        break;
    case 12: /* denormals */
        value = static_cast<double>(input.raw<std::int16_t>()) * DBL_TRUE_MIN;
        break;
    case 13:
        value = input.flag() ? DBL_MAX : -DBL_MAX;
        break;
    case 14: /* large, but within 64 bits */
        value =
            from + std::ldexp(input.raw<std::int16_t>(), static_cast<int>(input.integer(0, 45)));
        break;
    case 15:
        value = input.raw<double>();
        break;
    }
    if (wanted.any_bits)
        return value;
    return std::fabs(value) <= wanted.most ? value : std::fmod(from, wanted.most);
}

} // namespace polymask::fuzz
