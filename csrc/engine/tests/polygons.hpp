/* Polygons for tests, and their masks by the rule. */
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "polymask/inside_polygon.h"
#include "polymask/polymask.hpp"

namespace polymask
{

/* Names of tests' parameters. */
inline void PrintTo(InstructionSet set, std::ostream *out)
{
    *out << name(set);
}

} // namespace polymask

namespace polymask::test
{

using Bytes = std::vector<std::uint8_t>;

struct Rings {
    std::vector<double> vertices;
    std::vector<std::int64_t> starts;

    Polygon view() const { return {vertices, starts}; }
};

class Random
{
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    double real(double low, double high)
    {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    std::int64_t integer(std::int64_t low, std::int64_t high)
    {
        return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
    }
    bool one_in(int n) { return integer(1, n) == 1; }

  private:
    std::mt19937_64 engine_;
};

/* Returns whether (x, y) is inside a ring by its edges only: the half-open rule. Watertight: with
 * the ends of each edge in order of y. */
inline int inside_by_edges(double x, double y, const double *ring, std::int64_t n, bool watertight,
                           bool half_open)
{
    int inside = 0;
    for (std::int64_t i = 0, last = n - 1; i < n; last = i++) {
        double x1 = ring[2 * last], y1 = ring[2 * last + 1];
        double x2 = ring[2 * i], y2 = ring[2 * i + 1];
        if (watertight && y2 < y1)
            std::swap(x1, x2), std::swap(y1, y2);
        if (watertight && half_open && y == y2 && y1 < y2)
            inside ^= x <= x2;
        else if (y > std::min(y1, y2) && y <= std::max(y1, y2) && x <= std::max(x1, x2))
            inside ^= x1 == x2 || x <= crossing_x(y, x1, y1, x2, y2);
    }
    return inside;
}

/* Converts the value of a sample that equals a vertex. */
inline Border border_of(bool value)
{
    return value ? Border::inside : Border::outside;
}

/* The rule of the contract for rings, pixel by pixel: one parity over all edges; a vertex of any
 * ring takes the border value, unless the rule is half open. */
inline std::uint8_t rule(const Polygon &polygon, double x, double y, const Options &options = {})
{
    const bool watertight = options.watertight, half_open = options.border == Border::half_open;
    const auto n = static_cast<std::int64_t>(polygon.vertices.size() / 2);
    const auto &starts = polygon.ring_starts;
    const std::size_t rings = starts.empty() ? 1 : starts.size();
    int inside = 0;
    for (std::size_t i = 0; i < rings; ++i) {
        const std::int64_t start = starts.empty() ? 0 : starts[i],
                           end = i + 1 < starts.size() ? starts[i + 1] : n;
        const double *ring = polygon.vertices.data() + 2 * start;
        constexpr int on_vertex = 2;
        int answer = inside_polygon(x, y, ring, end - start, on_vertex);
        if (half_open || (watertight && answer != on_vertex))
            answer = inside_by_edges(x, y, ring, end - start, watertight, half_open);
        if (answer == on_vertex)
            return options.border == Border::inside;
        inside ^= answer;
    }
    return static_cast<std::uint8_t>(inside);
}

inline Bytes rule_mask(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                       const Options &options = {})
{
    Bytes mask(static_cast<std::size_t>(rows * cols));
    const double half = options.center ? 0.5 : 0;
    for (std::int64_t r = 0; cols > 0 && r < rows; ++r)
        for (std::int64_t c = 0; c < cols; ++c)
            mask[static_cast<std::size_t>(r * cols + c)] =
                rule(polygon, static_cast<double>(c + options.column_offset) + half,
                     static_cast<double>(r + options.row_offset) + half, options);
    return mask;
}

inline Bytes packed(const Bytes &mask, std::int64_t rows, std::int64_t cols)
{
    const std::int64_t row_bytes = packed_row_bytes(cols);
    Bytes bits(static_cast<std::size_t>(rows * row_bytes));
    for (std::int64_t r = 0; cols > 0 && r < rows; ++r)
        for (std::int64_t c = 0; c < cols; ++c)
            bits[static_cast<std::size_t>(r * row_bytes + c / 8)] |=
                static_cast<std::uint8_t>(mask[static_cast<std::size_t>(r * cols + c)] << c % 8);
    return bits;
}

inline Bytes filled(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                    const Options &options = {})
{
    Bytes mask(static_cast<std::size_t>(rows * cols), 0xee);
    fill_mask(polygon, rows, cols, mask, options);
    return mask;
}

inline Bytes filled_packed(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                           const Options &options = {})
{
    Bytes bits(static_cast<std::size_t>(rows * packed_row_bytes(cols)), 0xee);
    fill_packed(polygon, rows, cols, bits, options);
    return bits;
}

/* The kinds of polygons that break inexact code. */
enum class Kind {
    integers,
    half_integers,
    reals,
    fractions,       /* multiples of a small power of two */
    through_samples, /* exactly, with infinite binary fractions as slopes, off the lattice */
    diagonals,       /* through the samples, off the lattice by one common real fraction */
    degenerate,      /* repeated and collinear vertices, horizontal and vertical edges */
    next_to_samples, /* one unit in the last place from integers */
    far,             /* vertices up to 2^24 images away, some beyond the range of fixed point */
    huge,            /* up to 1e300 images away: products overflow */
    tiny,            /* denormals and the largest numbers in one polygon: NaN arises */
};
constexpr Kind all_kinds[] = {Kind::integers,
                              Kind::half_integers,
                              Kind::reals,
                              Kind::fractions,
                              Kind::through_samples,
                              Kind::diagonals,
                              Kind::degenerate,
                              Kind::next_to_samples,
                              Kind::far,
                              Kind::huge,
                              Kind::tiny};

inline const char *name(Kind kind)
{
    constexpr const char *names[] = {
        "integers",  "half_integers", "reals",           "fractions", "through_samples",
        "diagonals", "degenerate",    "next_to_samples", "far",       "huge",
        "tiny"};
    return names[static_cast<int>(kind)];
}
inline void PrintTo(Kind kind, std::ostream *out)
{
    *out << name(kind);
}

/* Returns n vertices around an image of rows x cols, a third of them outside. */
inline std::vector<double> polygon(Random &random, Kind kind, std::int64_t n, double rows,
                                   double cols)
{
    std::vector<double> vertices;
    const double fraction = random.real(0, 1);
    const double unit = std::ldexp(1, static_cast<int>(-random.integer(1, 9)));
    const double scale = kind == Kind::far ? std::ldexp(1, static_cast<int>(random.integer(0, 24)))
                         : kind == Kind::huge ? std::pow(10, random.real(0, 300))
                                              : 1;
    for (std::int64_t i = 0; i < n; ++i) {
        double x = random.real(-0.3 * cols, 1.3 * cols), y = random.real(-0.3 * rows, 1.3 * rows);
        const double x1 = i > 0 ? vertices[vertices.size() - 2] : std::floor(x) + fraction;
        const double y1 = i > 0 ? vertices.back() : std::floor(y) + fraction;
        switch (kind) {
        case Kind::integers:
            x = std::floor(x), y = std::floor(y);
            break;
        case Kind::half_integers:
            x = std::floor(x) + 0.5, y = std::floor(y) + 0.5;
            break;
        case Kind::reals:
            break;
        case Kind::fractions:
            x = std::floor(x / unit) * unit, y = std::floor(y / unit) * unit;
            break;
        case Kind::through_samples: {
            /* Two points on a line through integers, just before one and just after another. */
            const auto run = static_cast<double>(random.integer(-40, 40)),
                       rise = static_cast<double>(random.integer(1, 40));
            const double before = std::ldexp(static_cast<double>(random.integer(1, 1023)), -10);
            x = std::floor(x), y = std::floor(y);
            const double length = std::floor(random.real(2, 2 + rows / rise));
            vertices.push_back(x - before * run);
            vertices.push_back(y - before * rise);
            x += length * run, y += length * rise;
            break;
        }
        case Kind::diagonals: {
            const auto length = static_cast<double>(random.integer(-90, 90));
            x = x1 + length, y = y1 + (random.one_in(2) ? length : -length);
            break;
        }
        case Kind::degenerate:
            if (random.one_in(4))
                x = std::floor(x), y = std::floor(y);
            if (random.one_in(3))
                x = x1;
            if (random.one_in(3))
                y = y1;
            if (random.one_in(6)) /* collinear */
                x = x1 + 2 * (x1 - x), y = y1 + 2 * (y1 - y);
            break;
        case Kind::next_to_samples:
            x = std::nextafter(std::floor(x), random.one_in(2) ? 1e9 : -1e9);
            y = std::nextafter(std::floor(y), random.one_in(2) ? 1e9 : -1e9);
            break;
        case Kind::far:
            x = (x - cols / 2) * scale, y = (y - rows / 2) * scale;
            if (random.one_in(2))
                x = std::floor(x), y = std::floor(y);
            break;
        case Kind::huge:
            x *= scale;
            y *= random.one_in(2) ? scale : 1;
            break;
        case Kind::tiny:
            x *= random.one_in(5) ? 1e-310 : 1;
            y *= random.one_in(5) ? 1e-310 : 1;
            if (random.one_in(10))
                x = random.one_in(2) ? 1.7e308 : -1.7e308;
            if (random.one_in(10))
                y = random.one_in(2) ? 1.7e308 : -1.7e308;
            break;
        }
        vertices.push_back(x);
        vertices.push_back(y);
    }
    return vertices;
}

/* Returns a short description of the samples that differ, for failure messages. */
inline std::string difference(const Bytes &got, const Bytes &wanted, std::int64_t cols)
{
    if (got.size() != wanted.size())
        return "sizes differ";
    std::int64_t count = 0, first = -1;
    for (std::size_t i = 0; i < got.size(); ++i)
        if (got[i] != wanted[i] && count++ == 0)
            first = static_cast<std::int64_t>(i);
    if (count == 0)
        return "";
    return std::to_string(count) + " bytes differ, the first at row " +
           std::to_string(first / cols) + ", column " + std::to_string(first % cols);
}

} // namespace polymask::test
