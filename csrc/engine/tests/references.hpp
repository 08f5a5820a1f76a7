/* Simple, slow reference results by definition, for tests and fuzz targets. */
#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include "coverage/rings.hpp"
#include "features.hpp"
#include "polymask/outlines.hpp"
#include "polymask/runs.hpp"
#include "polymask/statistics.hpp"
#include "polymask/touched.hpp"

namespace polymask::test
{

/* Calls visit(p, q) with both ends of each edge of each ring. */
template <class Visit> void each_edge(const Polygon &polygon, Visit &&visit)
{
    const auto &[vertices, starts] = polygon;
    const std::size_t rings = starts.empty() ? 1 : starts.size();
    for (std::size_t ring = 0; ring < rings; ++ring) {
        const std::size_t first = starts.empty() ? 0 : 2 * static_cast<std::size_t>(starts[ring]);
        const std::size_t end = ring + 1 < starts.size()
                                    ? 2 * static_cast<std::size_t>(starts[ring + 1])
                                    : vertices.size();
        for (std::size_t i = first, last = end - 2; i < end; last = i, i += 2)
            visit(&vertices[last], &vertices[i]);
    }
}

/* --- runs --- */

using Runs = std::vector<Run>;

inline Runs runs_of_mask(const Bytes &mask, std::int64_t rows, std::int64_t cols)
{
    Runs runs;
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < cols; ++column) {
            if (mask[static_cast<std::size_t>(row * cols + column)] == 0)
                continue;
            if (!runs.empty() && runs.back().row == row && runs.back().stop == column)
                ++runs.back().stop;
            else
                runs.push_back({row, column, column + 1});
        }
    }
    return runs;
}

template <class T> Runs as_runs(const RunArrays<T> &out, std::int64_t first, std::int64_t end)
{
    Runs runs;
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(end); ++i)
        runs.push_back({out.rows[i], out.starts[i], out.stops[i]});
    return runs;
}

/* --- boxes --- */

inline Box box_of_mask(const Bytes &mask, std::int64_t rows, std::int64_t cols)
{
    Box box = {rows, 0, cols, 0};
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < cols; ++column)
            if (mask[static_cast<std::size_t>(row * cols + column)] != 0)
                box = {std::min(box.top, row), row + 1, std::min(box.left, column),
                       std::max(box.right, column + 1)};
    return box.bottom > 0 ? box : Box{};
}

inline void append_crop(const Bytes &mask, std::int64_t cols, const Box &box, Bytes &all)
{
    for (std::int64_t row = box.top; row < box.bottom; ++row)
        for (std::int64_t column = box.left; column < box.right; ++column)
            all.push_back(mask[static_cast<std::size_t>(row * cols + column)]);
}

/* --- run lengths down the columns --- */

using Counts = std::vector<std::int64_t>;

inline Counts counts_of_mask(const Bytes &mask, std::int64_t rows, std::int64_t cols)
{
    Counts counts = {0};
    std::uint8_t value = 0;
    for (std::int64_t column = 0; column < cols; ++column) {
        for (std::int64_t row = 0; row < rows; ++row) {
            const std::uint8_t pixel = mask[static_cast<std::size_t>(row * cols + column)];
            if (pixel != value)
                counts.push_back(0);
            value = pixel;
            ++counts.back();
        }
    }
    return counts;
}

/* Decodes the text as COCO does: groups of five bits, and differences from the fourth number on. */
inline Counts counts_of_text(const std::string &text)
{
    Counts counts;
    for (std::size_t i = 0; i < text.size();) {
        std::uint64_t number = 0;
        int shift = 0;
        for (bool follows = true; follows; shift += 5) {
            const int five = text[i++] - 48;
            follows = (five & 32) != 0;
            if (shift < 64)
                number |= static_cast<std::uint64_t>(five & 31) << shift;
            if (!follows && (five & 16) != 0 && shift + 5 < 64)
                number |= ~std::uint64_t{0} << (shift + 5);
        }
        auto count = static_cast<std::int64_t>(number);
        if (counts.size() > 2)
            count += counts[counts.size() - 2];
        counts.push_back(count);
    }
    return counts;
}

/* --- images of labels --- */

inline std::vector<Bytes> masks_of(const Features &features, std::int64_t rows, std::int64_t cols,
                                   const Options &options)
{
    std::vector<Bytes> masks;
    for (std::int64_t feature = 0; feature < features.view().features(); ++feature)
        masks.push_back(features.mask(feature, rows, cols, options));
    return masks;
}

/* Paints one feature after the other, from bottom to top. */
template <class T>
std::vector<T> painted(const std::vector<Bytes> &masks, const std::vector<std::size_t> &order,
                       const std::vector<T> &labels, std::vector<T> image)
{
    for (const std::size_t feature : order)
        for (std::size_t i = 0; i < image.size(); ++i)
            if (masks[feature][i] != 0)
                image[i] = labels[feature];
    return image;
}

inline std::vector<std::size_t> as_they_come(const Features &features)
{
    std::vector<std::size_t> order(static_cast<std::size_t>(features.view().features()));
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
}

/* --- statistics --- */

template <class T> Statistics<T> by_pixels(const Bytes &mask, const Values<T> &values)
{
    using Sum = typename Statistics<T>::Sum;
    Statistics<T> found;
    for (std::size_t i = 0; i < mask.size(); ++i) {
        const T value = values.pixels[i];
        if (!mask[i] || value != value || (!values.missing.empty() && values.missing[i]) ||
            (values.nodata && value == *values.nodata))
            continue;
        if (found.count == 0)
            found.min = found.max = value;
        ++found.count;
        if constexpr (std::is_floating_point_v<T>)
            found.sum += static_cast<double>(value);
        else
            found.sum = static_cast<Sum>(static_cast<std::uint64_t>(found.sum) +
                                         static_cast<std::uint64_t>(value));
        found.min = std::min(found.min, value);
        found.max = std::max(found.max, value);
    }
    return found;
}

/* --- outlines --- */

/* Returns the mask of rings first .. end - 1, even-odd over all of them. */
inline Bytes mask_of_rings(const Outlines &outlines, std::size_t first, std::size_t end,
                           std::int64_t rows, std::int64_t cols, const Options &options)
{
    Rings rings;
    for (std::size_t r = first; r < end; ++r) {
        rings.starts.push_back(static_cast<std::int64_t>(rings.vertices.size() / 2));
        rings.vertices.insert(rings.vertices.end(),
                              outlines.vertices.begin() + 2 * outlines.ring_offsets[r],
                              outlines.vertices.begin() + 2 * outlines.ring_offsets[r + 1]);
    }
    return first == end ? Bytes(static_cast<std::size_t>(rows * cols))
                        : filled(rings.view(), rows, cols, options);
}

/* Returns the area by the shoelace formula: positive for outer rings, negative for holes. */
inline double area(const Outlines &outlines, std::size_t ring)
{
    double twice = 0;
    const auto first = static_cast<std::size_t>(outlines.ring_offsets[ring]),
               end = static_cast<std::size_t>(outlines.ring_offsets[ring + 1]);
    for (std::size_t i = first; i < end; ++i) {
        const std::size_t j = i + 1 < end ? i + 1 : first;
        const double *a = &outlines.vertices[2 * i], *b = &outlines.vertices[2 * j];
        twice += a[0] * b[1] - a[1] * b[0];
    }
    return twice / 2;
}

/* --- fractions --- */

using Points = std::vector<std::pair<long double, long double>>;

/* Returns the part of a polygon where sign * (coordinate - border) >= 0. */
inline Points clipped(const Points &points, bool by_y, long double border, int sign)
{
    Points result;
    const auto depth = [&](const auto &p) { return sign * ((by_y ? p.second : p.first) - border); };
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto &p = points[i], &q = points[(i + 1) % points.size()];
        const long double a = depth(p), b = depth(q);
        if (a >= 0)
            result.push_back(p);
        if ((a < 0) != (b < 0)) {
            const long double t = a / (a - b);
            result.push_back(
                {p.first + t * (q.first - p.first), p.second + t * (q.second - p.second)});
        }
    }
    return result;
}

inline long double area(const Points &points)
{
    long double twice = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto &p = points[i], &q = points[(i + 1) % points.size()];
        twice += p.first * q.second - q.first * p.second;
    }
    return twice / 2;
}

/* Returns the signed area of one ring in each square. */
inline std::vector<long double> signed_areas(const std::vector<double> &ring, std::int64_t rows,
                                             std::int64_t cols, long double shift)
{
    Points points;
    for (std::size_t i = 0; i < ring.size(); i += 2)
        points.push_back({ring[i] + shift, ring[i + 1] + shift});
    std::vector<long double> areas;
    for (std::int64_t r = 0; r < rows; ++r) {
        const Points strip = clipped(clipped(points, true, r, 1), true, r + 1, -1);
        for (std::int64_t c = 0; c < cols; ++c)
            areas.push_back(area(clipped(clipped(strip, false, c, 1), false, c + 1, -1)));
    }
    return areas;
}

/* --- touched squares, edge by edge, with exact signs --- */

/* Returns whether the segment p q meets the square from (x, y) to (x + 1, y + 1): neither their
 * boxes nor the line through p and q separate them. */
inline bool meets(const double *p, const double *q, double x, double y, bool closed)
{
    const auto apart = [&](double a, double b, double low) {
        return closed ? std::max(a, b) < low || std::min(a, b) > low + 1
                      : std::max(a, b) <= low || std::min(a, b) >= low + 1;
    };
    if (apart(p[0], q[0], x) || apart(p[1], q[1], y))
        return false;
    int below = 0, on = 0, above = 0;
    for (const double dx : {0.0, 1.0})
        for (const double dy : {0.0, 1.0}) {
            const int side =
                detail::compare_products(q[0], p[0], y + dy, p[1], x + dx, p[0], q[1], p[1]);
            below += side < 0;
            on += side == 0;
            above += side > 0;
        }
    const bool is_point = p[0] == q[0] && p[1] == q[1];
    if (closed || is_point)
        return is_point || on > 0 || (below > 0 && above > 0);
    return below > 0 && above > 0;
}

/* Returns the exact even-odd result for a point that is on no edge. */
inline bool is_inside(const Polygon &polygon, double x, double y)
{
    bool inside = false;
    each_edge(polygon, [&](const double *low, const double *high) {
        if (high[1] < low[1])
            std::swap(low, high);
        if (y > low[1] && y <= high[1])
            inside ^= detail::crossing_beyond(x, y, low[0], low[1], high[0], high[1]) > 0;
    });
    return inside;
}

inline Bytes by_squares(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                        const Options &options)
{
    Bytes mask;
    const bool closed = options.touched != Squares::open;
    const double shift = options.center ? 0 : -0.5;
    for (std::int64_t r = 0; cols > 0 && r < rows; ++r)
        for (std::int64_t c = 0; c < cols; ++c) {
            const double x = static_cast<double>(c + options.column_offset) + shift,
                         y = static_cast<double>(r + options.row_offset) + shift;
            bool touched = false;
            each_edge(polygon, [&](const double *p, const double *q) {
                touched |= meets(p, q, x, y, closed);
            });
            mask.push_back(touched || is_inside(polygon, x + 0.5, y + 0.5));
        }
    return mask;
}

} // namespace polymask::test
