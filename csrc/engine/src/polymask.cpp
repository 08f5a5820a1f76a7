/* The public border: everything is checked here, and nowhere else. */

#include "polymask/polymask.hpp"

#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include "fill.hpp"
#include "threads.hpp"

namespace polymask
{

namespace
{

using detail::Job;

constexpr std::size_t max_vertices = std::size_t{1} << 30;

[[noreturn]] void refuse(const std::string &what)
{
    throw std::invalid_argument(what);
}

void check(const Polygon &polygon)
{
    const auto &[vertices, starts] = polygon;
    if (vertices.size() % 2 != 0)
        refuse("vertices: pairs of x and y wanted, got " + std::to_string(vertices.size()) +
               " numbers");
    const std::size_t count = vertices.size() / 2;
    if (count > max_vertices)
        refuse("vertices: at most 2^30, got " + std::to_string(count));
    for (std::size_t i = 0; i < count; ++i)
        if (!std::isfinite(vertices[2 * i]) || !std::isfinite(vertices[2 * i + 1]))
            refuse("vertices: vertex " + std::to_string(i) + " is not finite: (" +
                   std::to_string(vertices[2 * i]) + ", " + std::to_string(vertices[2 * i + 1]) +
                   ")");
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
}

void check_threads(int threads)
{
    if (threads < 0)
        refuse("threads: at least 0, got " + std::to_string(threads));
}

void check(const Job &job)
{
    std::string shape("(");
    shape.append(std::to_string(job.rows)).append(", ").append(std::to_string(job.cols)) += ')';
    if (job.rows < 0 || job.cols < 0)
        refuse("shape: rows and columns are at least 0, got " + shape);
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    if (job.cols > 0 && job.rows > most / job.cols)
        refuse("shape: " + shape + " is beyond the address space");
    const Options &options = job.options;
    if (options.row_offset > most - job.rows || options.column_offset > most - job.cols)
        refuse("offset: (" + std::to_string(options.row_offset) + ", " +
               std::to_string(options.column_offset) + ") plus the shape " + shape +
               " does not fit 64 bits");
    check_threads(options.threads);
}

void check_size(const char *what, std::size_t size, std::int64_t wanted)
{
    if (std::cmp_not_equal(size, wanted)) /* a 32-bit size_t holds less than is wanted */
        refuse(std::string(what) + ": " + std::to_string(wanted) + " bytes wanted, got " +
               std::to_string(size));
}

void fill_checked(const Job &job, std::size_t out_size)
{
    check(job.polygon);
    check(job);
    check_size("out", out_size, job.rows * job.row_bytes());
    detail::fill(job, detail::plan(job));
}

Status fill_unchecked(const Job &job) noexcept
{
    try {
        detail::fill(job, detail::plan(job));
        return Status::ok;
    } catch (const std::bad_alloc &) {
        return Status::out_of_memory;
    } catch (...) { /* plan()'s std::runtime_error */
        return Status::unavailable;
    }
}

} // namespace

void fill_mask(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
               std::span<std::uint8_t> out, const Options &options)
{
    fill_checked({polygon, rows, cols, out.data(), false, options}, out.size());
}

void fill_packed(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                 std::span<std::uint8_t> out, const Options &options)
{
    fill_checked({polygon, rows, cols, out.data(), true, options}, out.size());
}

Status fill_mask_unchecked(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                           std::uint8_t *out, const Options &options) noexcept
{
    return fill_unchecked({polygon, rows, cols, out, false, options});
}

Status fill_packed_unchecked(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                             std::uint8_t *out, const Options &options) noexcept
{
    return fill_unchecked({polygon, rows, cols, out, true, options});
}

void contains(const Polygon &polygon, std::span<const double> points, std::span<std::uint8_t> out,
              bool border_value, int threads)
{
    check(polygon);
    check_threads(threads);
    if (points.size() % 2 != 0)
        refuse("points: pairs of x and y wanted, got " + std::to_string(points.size()) +
               " numbers");
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!std::isfinite(points[i]))
            refuse("points: point " + std::to_string(i / 2) + " is not finite");
    const auto count = static_cast<std::int64_t>(points.size() / 2);
    check_size("out", out.size(), count);
    contains_unchecked(polygon, points.data(), count, out.data(), border_value, threads);
}

const char *name(Stores stores) noexcept
{
    switch (stores) {
    case Stores::automatic:
        return "automatic";
    case Stores::cached:
        return "cached";
    case Stores::prefetched:
        return "prefetched";
    case Stores::streaming:
        return "streaming";
    }
    return "unknown";
}

Choice choose(const Polygon &polygon, std::int64_t rows, std::int64_t cols, const Options &options)
{
    const Job job = {polygon, rows, cols, nullptr, false, options};
    check(polygon);
    check(job);
    const detail::Plan plan = detail::plan(job);
    return {plan.kernels.instruction_set, plan.stores, plan.threads, detail::has_openmp};
}

std::string describe(const Choice &choice)
{
    return std::string(name(choice.instruction_set)) + ", " + name(choice.stores) + " stores, " +
           std::to_string(choice.threads) + (choice.threads == 1 ? " thread" : " threads") +
           (choice.openmp ? " (OpenMP)" : " (built without OpenMP)");
}

} // namespace polymask
