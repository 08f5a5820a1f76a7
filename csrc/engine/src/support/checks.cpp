#include "support/checks.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "polymask/polygons.hpp"

namespace polymask
{

namespace detail
{

void refuse(const std::string &what)
{
    throw std::invalid_argument(what);
}

TooSmall::TooSmall(const char *name, std::int64_t needed_size, std::size_t size, const char *unit)
    : std::invalid_argument(std::string(name) + ": expected room for " +
                            std::to_string(needed_size) + " " + unit + ", got " +
                            std::to_string(size)),
      needed(needed_size)
{
}

Extent check_vertices(std::span<const double> vertices)
{
    if (vertices.size() % 2 != 0)
        refuse("vertices: expected pairs of x and y, got " + std::to_string(vertices.size()) +
               " numbers");
    Extent extent;
    if (std::isfinite(extent.set_and_add(vertices)))
        return extent;
    for (std::size_t i = 0; i < vertices.size(); i += 2)
        if (!std::isfinite(vertices[i]) || !std::isfinite(vertices[i + 1]))
            refuse("vertices: vertex " + std::to_string(i / 2) + " is not finite: (" +
                   std::to_string(vertices[i]) + ", " + std::to_string(vertices[i + 1]) + ")");
    return extent;
}

Extent check(const Polygon &polygon)
{
    const auto &[vertices, starts] = polygon;
    const std::size_t count = vertices.size() / 2;
    if (count > max_vertices)
        refuse("vertices: at most 2^30, got " + std::to_string(count));
    const Extent extent = check_vertices(vertices);
    if (starts.empty() && count < 3)
        refuse("vertices: a polygon has at least 3, got " + std::to_string(count));
    if (!starts.empty() && starts[0] != 0)
        refuse("ring_starts: the first ring starts at vertex 0, not " + std::to_string(starts[0]));
    for (std::size_t ring = 0; ring < starts.size(); ++ring) {
        const auto end =
            ring + 1 < starts.size() ? starts[ring + 1] : static_cast<std::int64_t>(count);
        if (end < starts[ring] || end > static_cast<std::int64_t>(count))
            refuse("ring_starts: ring " + std::to_string(ring) + " would be vertices " +
                   std::to_string(starts[ring]) + " to " + std::to_string(end) + " of " +
                   std::to_string(count));
        if (end - starts[ring] < 3)
            refuse("ring_starts: a ring has at least 3 vertices, ring " + std::to_string(ring) +
                   " has " + std::to_string(end - starts[ring]));
    }
    return extent;
}

void check_window(std::int64_t rows, std::int64_t cols, std::int64_t row_offset,
                  std::int64_t column_offset)
{
    std::string shape("(");
    shape.append(std::to_string(rows)).append(", ").append(std::to_string(cols)) += ')';
    if (rows < 0 || cols < 0)
        refuse("shape: rows and columns are at least 0, got " + shape);
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    if (cols > 0 && rows > most / cols)
        refuse("shape: " + shape + " is beyond the address space");
    if (row_offset > most - rows || column_offset > most - cols)
        refuse("offset: (" + std::to_string(row_offset) + ", " + std::to_string(column_offset) +
               ") plus the shape " + shape + " does not fit 64 bits");
}

void check_near(std::int64_t rows, std::int64_t cols, std::int64_t row_offset,
                std::int64_t column_offset)
{
    if (rows > 0 && cols > 0 &&
        (Window::is_far(row_offset, rows) || Window::is_far(column_offset, cols)))
        refuse("offset: (" + std::to_string(row_offset) + ", " + std::to_string(column_offset) +
               ") plus the shape (" + std::to_string(rows) + ", " + std::to_string(cols) +
               ") is beyond 2^50");
}

void check_value(const char *name, std::int64_t value, std::int64_t last)
{
    if (value < 0 || value > last)
        refuse(std::string(name) + ": " + std::to_string(value) + " is not one of its values");
}

void check_options(const Options &options)
{
    if (options.threads < 0)
        refuse("threads: at least 0, got " + std::to_string(options.threads));
    check_enum("border", options.border, Border::half_open);
    check_enum("stores", options.stores, Stores::streaming);
    if (options.touched)
        check_enum("touched", *options.touched, Squares::open);
}

void check_out(std::size_t size, std::int64_t rows, std::int64_t row_size, std::int64_t stride,
               const char *unit)
{
    if (stride == 0)
        return check_size("out", size, rows * row_size, unit);
    if (stride < row_size)
        refuse("row_stride: at least " + std::to_string(row_size) + ", got " +
               std::to_string(stride));
    if (rows == 0 || row_size == 0)
        return;
    if (rows - 1 > (std::numeric_limits<std::int64_t>::max() - row_size) / stride)
        refuse("row_stride: " + std::to_string(rows) + " rows " + std::to_string(stride) +
               " apart are beyond the address space");
    const std::int64_t needed = (rows - 1) * stride + row_size;
    if (std::cmp_less(size, needed))
        refuse("out: expected at least " + std::to_string(needed) + " " + unit + ", got " +
               std::to_string(size));
}

void check_size(const char *name, std::size_t size, std::int64_t expected, const char *unit)
{
    if (std::cmp_not_equal(size, expected)) /* a size_t may have 32 bits */
        refuse(std::string(name) + ": expected " + std::to_string(expected) + " " + unit +
               ", got " + std::to_string(size));
}

namespace
{

/* Checks that offsets into `count` elements do not decrease. */
void check_offsets(const char *name, std::span<const std::int64_t> offsets, std::int64_t count,
                   const char *elements)
{
    if (offsets.empty())
        return;
    if (offsets[0] < 0)
        refuse(std::string(name) + ": at least 0, the first is " + std::to_string(offsets[0]));
    for (std::size_t i = 1; i < offsets.size(); ++i)
        if (offsets[i] < offsets[i - 1])
            refuse(std::string(name) + ": offset " + std::to_string(i) + " decreases from " +
                   std::to_string(offsets[i - 1]) + " to " + std::to_string(offsets[i]));
    if (offsets.back() > count)
        refuse(std::string(name) + ": the last is " + std::to_string(offsets.back()) +
               ", but there are only " + std::to_string(count) + " " + elements);
}

} // namespace

} // namespace detail

void check(const Polygons &polygons)
{
    const auto &[vertices, ring_offsets, polygon_offsets, feature_offsets] = polygons;
    const auto count = static_cast<std::int64_t>(vertices.size() / 2);
    detail::check_vertices(vertices);
    detail::check_offsets("ring_offsets", ring_offsets, count, "vertices");
    for (std::int64_t ring = 0; ring < polygons.rings(); ++ring)
        if (const std::int64_t size = polygons.vertices_of(ring).size(); size < 3)
            detail::refuse("ring_offsets: a ring has at least 3 vertices, ring " +
                           std::to_string(ring) + " has " + std::to_string(size));
    detail::check_offsets("polygon_offsets", polygon_offsets, polygons.rings(), "rings");
    for (std::int64_t polygon = 0; polygon < polygons.polygons(); ++polygon) {
        const auto [first, end] = polygons.rings_of(polygon);
        if (first == end)
            continue;
        const std::int64_t size =
            polygons.vertices_of(end - 1).end - polygons.vertices_of(first).first;
        if (size > static_cast<std::int64_t>(detail::max_vertices))
            detail::refuse("vertices: at most 2^30, polygon " + std::to_string(polygon) + " has " +
                           std::to_string(size));
    }
    detail::check_offsets("feature_offsets", feature_offsets, polygons.polygons(), "polygons");
}

} // namespace polymask
