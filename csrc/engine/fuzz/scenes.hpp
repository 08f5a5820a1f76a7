/* The meaning of a fuzzer's bytes: polygons, windows and options. */
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "features.hpp"
#include "input.hpp"

namespace polymask::test
{

inline std::ostream &operator<<(std::ostream &out, const Options &options)
{
    return out << name(options.instruction_set) << ", " << name(options.stores)
               << (options.center ? ", center" : "") << (options.watertight ? ", watertight" : "")
               << (options.border == Border::half_open ? ", half open" : "")
               << (options.touched ? ", touched" : "") << ", " << options.threads << " threads";
}

} // namespace polymask::test

namespace polymask::fuzz
{

using test::Options;

/* Rows and columns, and their offsets: vertices are placed around them. */
struct Area {
    std::int64_t rows = 0, cols = 0, row_offset = 0, column_offset = 0;
    std::size_t size() const { return static_cast<std::size_t>(rows * cols); }
};

/* Returns an offset near 0, near a power of two of up to `reach` bits, or at the limit of 64 bits.
 */
inline std::int64_t offset(Input &input, std::int64_t size, int reach)
{
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    switch (input.byte() % 8) {
    case 1:
    case 2:
        return input.integer(-20, 20);
    case 3:
    case 4: {
        const std::int64_t power = std::int64_t{1} << input.integer(0, reach - 1);
        const std::int64_t near = power - size - input.integer(-8, 40);
        return input.flag() ? near : -near;
    }
    case 5:
        return reach < 63 ? (std::int64_t{1} << reach) - size : most - size - input.byte();
    case 6:
        return reach < 63 ? -(std::int64_t{1} << reach) : -most - 1 + input.byte();
    default:
        return 0;
    }
}

/* Returns an area of few pixels, as the rule tests each of them with each edge, or a wide one for
 * code that processes many columns at once. `reach`: bits of the largest offset. */
inline Area area(Input &input, int reach = 63)
{
    Area area;
    switch (input.byte() % 6) {
    default:
        area.rows = input.integer(0, 40);
        area.cols = input.integer(0, 80);
        break;
    case 2: /* edges that cross many rows */
        area.rows = input.integer(150, 300);
        area.cols = input.integer(1, 9);
        break;
    case 3:
        area.rows = input.integer(1, 12);
        area.cols = input.integer(120, 270);
        break;
    case 4:
        area.rows = input.integer(1, 5);
        area.cols = input.integer(500, 1100);
        break;
    case 5:
        area.rows = input.integer(1, 3);
        area.cols = input.integer(2040, 2200);
        break;
    }
    area.row_offset = offset(input, area.rows, reach);
    area.column_offset = offset(input, area.cols, reach);
    return area;
}

/* Returns x0, y0, ... of 3 or more vertices: explicit, or many from the families of polygons.hpp.
 */
inline std::vector<double> ring(Input &input, const Area &area, const Coordinates &wanted = {})
{
    const auto x = static_cast<double>(area.column_offset),
               y = static_cast<double>(area.row_offset);
    if (input.one_in(8) && wanted.most == DBL_MAX) {
        test::Random random(input.raw<std::uint32_t>());
        const test::Kind kind = input.one_of(test::all_kinds);
        const std::int64_t most = area.size() < 300 ? 700 : area.size() < 3000 ? 150 : 40;
        auto vertices =
            test::polygon(random, kind, input.integer(3, most), static_cast<double>(area.rows),
                          static_cast<double>(area.cols));
        for (std::size_t i = 0; i < vertices.size(); i += 2)
            if (std::isfinite(vertices[i] + x) && std::isfinite(vertices[i + 1] + y))
                vertices[i] += x, vertices[i + 1] += y;
        return vertices;
    }
    std::vector<double> vertices;
    for (std::int64_t n = input.integer(3, wanted.most_vertices); n > 0; --n) {
        const double vx = coordinate(input, x, area.cols, vertices, 0, wanted),
                     vy = coordinate(input, y, area.rows, vertices, 1, wanted);
        vertices.push_back(vx);
        vertices.push_back(vy);
    }
    return vertices;
}

inline test::Rings rings(Input &input, const Area &area, const Coordinates &wanted = {})
{
    test::Rings rings;
    const std::int64_t count = input.one_in(4) ? input.integer(1, 4) : 1;
    for (std::int64_t i = 0; i < count; ++i) {
        rings.starts.push_back(static_cast<std::int64_t>(rings.vertices.size() / 2));
        const auto more = ring(input, area, wanted);
        rings.vertices.insert(rings.vertices.end(), more.begin(), more.end());
    }
    if (count == 1 && input.flag())
        rings.starts.clear();
    return rings;
}

/* Returns features of polygons of rings; some have no polygons or no rings. */
inline test::Features features(Input &input, const Area &area, const Coordinates &wanted = {})
{
    test::Features features;
    for (std::int64_t left = input.integer(0, 5); left > 0; --left) {
        for (std::int64_t n = input.one_in(4) ? input.integer(0, 3) : 1; n > 0; --n) {
            for (std::int64_t k = input.one_in(4) ? input.integer(0, 3) : 1; k > 0; --k)
                features.add_ring(ring(input, area, wanted));
            features.end_polygon();
        }
        features.end_feature();
    }
    return features;
}

/* Returns an unchecked integer: often small, or near a power of two, or any bits. */
inline std::int64_t any_integer(Input &input)
{
    switch (input.byte() % 4) {
    case 1:
        return input.integer(-3, 40);
    case 2:
        return input.raw<std::int64_t>();
    case 3: {
        const std::int64_t power = std::int64_t{1} << input.byte() % 63;
        return input.flag() ? power - input.byte() : -power;
    }
    default:
        return input.integer(0, 12);
    }
}

inline std::vector<std::int64_t> any_offsets(Input &input, std::int64_t most)
{
    std::vector<std::int64_t> offsets;
    for (std::int64_t n = input.integer(0, 6); n > 0; --n)
        offsets.push_back(input.one_in(8) ? any_integer(input) : input.integer(0, most));
    if (input.flag())
        std::sort(offsets.begin(), offsets.end());
    return offsets;
}

inline InstructionSet instruction_set(Input &input)
{
    static const std::vector<InstructionSet> sets = available_instruction_sets();
    return sets[input.byte() % sets.size()];
}

inline Options options(Input &input, const Area &area)
{
    Options options;
    const int flags = input.byte();
    options.border = flags & 8 ? Border::half_open : test::border_of(flags & 1);
    options.center = flags & 2;
    options.watertight = flags & 4;
    options.row_offset = area.row_offset;
    options.column_offset = area.column_offset;
    /* rarely, because waking other threads takes longer than everything else */
    options.threads = input.one_in(32) ? static_cast<int>(input.integer(2, 7)) : 1;
    options.instruction_set = instruction_set(input);
    options.stores = static_cast<Stores>(flags >> 4 & 3);
    return options;
}

/* Returns these options and those only for many polygons, with offsets within their limits. */
inline Options feature_options(Input &input, const Area &area)
{
    Options options = fuzz::options(input, area);
    options.stores = Stores::automatic;
    constexpr std::int64_t most = std::int64_t{1} << 49;
    if (input.one_in(4) && std::min(area.row_offset, area.column_offset) > -most &&
        std::max(area.row_offset, area.column_offset) < most)
        options.touched = input.flag() ? Squares::open : Squares::closed;
    return options;
}

} // namespace polymask::fuzz
