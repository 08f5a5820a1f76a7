/* The public functions for single masks and points. Only these functions check their input. */

#include "polymask/polymask.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/formula.hpp"
#include "mask/fill.hpp"
#include "parallel/parallel_for.hpp"
#include "polymask/interruption.hpp"
#include "support/checks.hpp"
#include "support/environment.hpp"
#include "support/processor.hpp"

namespace polymask
{

namespace
{

using detail::Job;

void check(const Job &job)
{
    detail::check_window(job.rows, job.cols, job.options.row_offset, job.options.column_offset);
    detail::check_options(job.options);
    if (job.options.touched)
        detail::refuse("touched: for a mask of one polygon, call fill_touched");
}

void fill_checked(Job job, std::size_t out_size)
{
    const detail::ScopedRounding rounding;
    job.extent = detail::check(job.polygon);
    check(job);
    detail::check_out(out_size, job.rows, job.row_bytes(), job.options.row_stride);
    detail::fill(job, detail::plan(job));
}

Status fill_unchecked(Job job) noexcept
{
    const detail::ScopedRounding rounding;
    job.extent = detail::Extent(job.polygon.vertices);
    return detail::plan_and_fill(job);
}

/* inside_polygon() with the ends of each edge in order, without a value for vertices, or both. */
int inside_by_edges(double x, double y, const double *vertices, std::int64_t n, int on_vertex,
                    const detail::Rule &rule)
{
    const bool watertight = rule.watertight, half_open = rule.half_open();
    int inside = 0;
    const double *p1 = vertices + 2 * (n - 1);
    for (const double *p2 = vertices; p2 != vertices + 2 * n; p1 = p2, p2 += 2) {
        if (!half_open && x == p2[0] && y == p2[1])
            return on_vertex;
        inside ^= watertight
                      ? detail::toggles_watertight(x, y, p1[0], p1[1], p2[0], p2[1], half_open)
                      : detail::toggles(x, y, p1[0], p1[1], p2[0], p2[1]);
    }
    return inside;
}

} // namespace

void fill_mask(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
               std::span<std::uint8_t> out, const Options &options)
{
    fill_checked({polygon, {}, rows, cols, out.data(), false, options}, out.size());
}

void fill_packed(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                 std::span<std::uint8_t> out, const Options &options)
{
    fill_checked({polygon, {}, rows, cols, out.data(), true, options}, out.size());
}

Status fill_mask_unchecked(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                           std::uint8_t *out, const Options &options) noexcept
{
    return fill_unchecked({polygon, {}, rows, cols, out, false, options});
}

Status fill_packed_unchecked(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                             std::uint8_t *out, const Options &options) noexcept
{
    return fill_unchecked({polygon, {}, rows, cols, out, true, options});
}

Box bounding_box(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                 const Options &options)
{
    const detail::ScopedRounding rounding;
    const Job job = {polygon, detail::check(polygon), rows, cols, nullptr, false, options};
    check(job);
    return detail::bounding_box(job);
}

Box bounding_box_unchecked(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                           const Options &options) noexcept
{
    const detail::ScopedRounding rounding;
    const detail::Extent extent(polygon.vertices);
    return detail::bounding_box({polygon, extent, rows, cols, nullptr, false, options});
}

void contains(const Polygon &polygon, std::span<const double> points, std::span<std::uint8_t> out,
              const Options &options)
{
    detail::check(polygon);
    detail::check_options(options);
    if (points.size() % 2 != 0)
        detail::refuse("points: expected pairs of x and y, got " + std::to_string(points.size()) +
                       " numbers");
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!std::isfinite(points[i]))
            detail::refuse("points: point " + std::to_string(i / 2) + " is not finite");
    const auto count = static_cast<std::int64_t>(points.size() / 2);
    detail::check_size("out", out.size(), count);
    if (contains_unchecked(polygon, points.data(), count, out.data(), options) ==
        Status::interrupted)
        throw Interrupted();
}

/* Tests points by the rule itself. */
Status contains_unchecked(const Polygon &polygon, const double *points, std::int64_t count,
                          std::uint8_t *out, const Options &options) noexcept
{
    const detail::ScopedRounding rounding;
    const detail::Rule rule = detail::rule_of(options);
    const bool by_edges = rule.watertight || rule.half_open();
    const double *vertices = polygon.vertices.data();
    const std::int64_t *ring_starts = polygon.ring_starts.data();
    const auto vertex_count = static_cast<std::int64_t>(polygon.vertices.size() / 2);
    const auto rings = static_cast<std::int64_t>(polygon.ring_starts.size());

    const auto inside = [&](double x, double y) -> std::uint8_t {
        constexpr int on_vertex = 2; /* different from both results of the rule */
        int parity = 0;
        for (std::int64_t ring = 0; ring < rings || ring == 0; ++ring) {
            const std::int64_t begin = ring < rings ? ring_starts[ring] : 0;
            const std::int64_t end = ring + 1 < rings ? ring_starts[ring + 1] : vertex_count;
            const double *first = vertices + 2 * begin;
            const int in_ring = by_edges
                                    ? inside_by_edges(x, y, first, end - begin, on_vertex, rule)
                                    : inside_polygon(x, y, first, end - begin, on_vertex);
            if (in_ring == on_vertex)
                return rule.border_value();
            parity ^= in_ring;
        }
        return static_cast<std::uint8_t>(parity);
    };

    const int team = detail::choose_threads(
        options.threads, static_cast<double>(count) * static_cast<double>(vertex_count) * 1e-3);
    constexpr std::int64_t most = 1024, visits = 1 << 18; /* in a chunk */
    const std::int64_t size =
        std::clamp<std::int64_t>(visits / std::max(vertex_count, std::int64_t{1}), 1, most);
    const auto make = [&] {
        return [&](std::int64_t index) {
            const std::int64_t end = std::min(count, (index + 1) * size);
            for (std::int64_t i = index * size; i < end; ++i)
                out[i] = inside(points[2 * i], points[2 * i + 1]);
        };
    };
    try {
        detail::parallel_for(team, (count + size - 1) / size, make);
        return Status::ok;
    } catch (const Interrupted &) {
        return Status::interrupted;
    }
}

const char *version() noexcept
{
    return POLYMASK_VERSION;
}

Choice choose(const Polygon &polygon, std::int64_t rows, std::int64_t cols, const Options &options)
{
    const detail::ScopedRounding rounding;
    const Job job = {polygon, detail::check(polygon), rows, cols, nullptr, false, options};
    check(job);
    const detail::Plan plan = detail::plan(job);
    return {plan.kernels.instruction_set, plan.stores, plan.threads};
}

std::string describe(const Choice &choice)
{
    return std::string(name(choice.instruction_set)) + ", " + name(choice.stores) + " stores, " +
           std::to_string(choice.threads) + (choice.threads == 1 ? " thread" : " threads");
}

} // namespace polymask
