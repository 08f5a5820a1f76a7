/* The C library of lesson 2, the C++ class of lesson 3 and the rows of lesson 4, compared with the
 * rule: they use the same header, but in other loops, with memory of the exact size. */

#include "engine/fuzz/input.hpp"
#include "inside_polygon_branchless.h"
#include "points_inside_polygon.h"
#include "polygon.hpp"
#include "rule_simd.h"

namespace
{

using Bytes = std::vector<std::uint8_t>;

/* The rule row by row: an edge toggles the pixels up to its crossing, then vertices are stamped. It
 * shares only the crossing with inside_polygon(). */
Bytes by_rows(const std::vector<double> &vertices, std::ptrdiff_t rows, std::ptrdiff_t cols,
              bool border_value)
{
    Bytes mask(static_cast<std::size_t>(rows * cols));
    for (std::size_t i = 0, last = vertices.size() - 2; i < vertices.size(); last = i, i += 2) {
        const double x1 = vertices[last], y1 = vertices[last + 1], x2 = vertices[i],
                     y2 = vertices[i + 1];
        for (std::ptrdiff_t row = 0; row < rows; ++row) {
            const auto y = static_cast<double>(row);
            if (!(y > std::fmin(y1, y2) && y <= std::fmax(y1, y2)))
                continue;
            const double crossing = x1 == x2 ? x1 : crossing_x(y, x1, y1, x2, y2);
            if (std::isnan(crossing))
                continue;
            const double end = std::floor(std::fmin(crossing, std::fmax(x1, x2)));
            for (std::ptrdiff_t column = 0; column < cols && static_cast<double>(column) <= end;
                 ++column)
                mask[static_cast<std::size_t>(row * cols + column)] ^= 1;
        }
    }
    for (std::size_t i = 0; i < vertices.size(); i += 2) {
        const double x = vertices[i], y = vertices[i + 1];
        if (x == std::floor(x) && y == std::floor(y) && x >= 0 && y >= 0 &&
            x < static_cast<double>(cols) && y < static_cast<double>(rows))
            mask[static_cast<std::size_t>(y) * static_cast<std::size_t>(cols) +
                 static_cast<std::size_t>(x)] = border_value;
    }
    return mask;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace polymask::fuzz;
    Input input(data, size);
    const std::int64_t rows = input.integer(0, 30), cols = input.integer(0, 90);
    const bool border_value = input.flag();
    std::vector<double> vertices;
    for (std::int64_t n = input.integer(3, 20); n > 0; --n) {
        const double x = coordinate(input, 0, cols, vertices, 0, {}),
                     y = coordinate(input, 0, rows, vertices, 1, {});
        vertices.push_back(x);
        vertices.push_back(y);
    }
    vertices.shrink_to_fit(); /* so that AddressSanitizer detects reads beyond the end */
    const auto n = static_cast<std::ptrdiff_t>(vertices.size() / 2);

    const Bytes wanted = by_rows(vertices, rows, cols, border_value);
    std::vector<double> points;
    for (std::int64_t i = 0; i < rows * cols; ++i) {
        const auto x = static_cast<double>(i % cols), y = static_cast<double>(i / cols);
        points.insert(points.end(), {x, y});
        require(inside_polygon(x, y, vertices.data(), n, border_value) ==
                    wanted[static_cast<std::size_t>(i)],
                "the rule, and the rule by rows, at row ", (i / cols), ", column ", (i % cols));
        require(inside_polygon_branchless(x, y, vertices.data(), n, border_value) ==
                    wanted[static_cast<std::size_t>(i)],
                "the rule without branches, at row ", (i / cols), ", column ", (i % cols));
    }
    Bytes found(wanted.size(), 0xee);
    points_inside_polygon(points.data(), rows * cols, vertices.data(), n, border_value,
                          found.data());
    require(found == wanted, "points_inside_polygon and the rule");

    found.assign(wanted.size(), 0xee);
    polymask::Polygon(vertices.data(), n).fill(found.data(), rows, cols, border_value);
    require(found == wanted, "Polygon::fill and the rule");

    found.assign(wanted.size(), 0xee);
    for (std::int64_t row = rows; row-- > 0;) /* so that bytes behind a row are those of the next */
        inside_polygon_row(static_cast<double>(row), cols, vertices.data(), n, border_value,
                           found.data() + row * cols);
    require(found == wanted, "inside_polygon_row and the rule");

    points = vertices; /* off the lattice: the vertices, and points between two */
    for (std::size_t i = 2; i < vertices.size(); ++i)
        points.push_back(vertices[i] / 2 + vertices[i - 2] / 2);
    found.assign(points.size() / 2, 0xee);
    points_inside_polygon(points.data(), static_cast<std::ptrdiff_t>(found.size()), vertices.data(),
                          n, border_value, found.data());
    for (std::size_t i = 0; i < found.size(); ++i)
        require(found[i] == inside_polygon(points[2 * i], points[2 * i + 1], vertices.data(), n,
                                           border_value),
                "points_inside_polygon and the rule, point ", i);
    return 0;
}
