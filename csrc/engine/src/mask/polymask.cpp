/* The public border of single masks: everything is checked here, and nowhere else. */

#include "polymask/polymask.hpp"

#include <cmath>
#include <new>

#include "mask/fill.hpp"
#include "parallel/threads.hpp"
#include "polymask/interruption.hpp"
#include "support/checks.hpp"
#include "support/rounding.hpp"

namespace polymask
{

namespace
{

using detail::Job;

void check(const Job &job)
{
    detail::check_window(job.rows, job.cols, job.options.row_offset, job.options.column_offset);
    detail::check_threads(job.options.threads);
    if (job.options.touched)
        detail::refuse("touched: a mask of one polygon is made by fill_touched");
}

void fill_checked(const Job &job, std::size_t out_size)
{
    const detail::ToNearest rounding;
    detail::check(job.polygon);
    check(job);
    detail::check_out(out_size, job.rows, job.row_bytes(), job.options.row_stride);
    detail::fill(job, detail::plan(job));
}

Status fill_unchecked(const Job &job) noexcept
{
    const detail::ToNearest rounding;
    try {
        detail::fill(job, detail::plan(job));
        return Status::ok;
    } catch (const std::bad_alloc &) {
        return Status::out_of_memory;
    } catch (const Interrupted &) {
        return Status::interrupted;
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

Box bounding_box(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                 const Options &options)
{
    detail::check(polygon);
    check({polygon, rows, cols, nullptr, false, options});
    return bounding_box_unchecked(polygon, rows, cols, options);
}

Box bounding_box_unchecked(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                           const Options &options) noexcept
{
    const detail::ToNearest rounding;
    return detail::bounding_box({polygon, rows, cols, nullptr, false, options});
}

void contains(const Polygon &polygon, std::span<const double> points, std::span<std::uint8_t> out,
              bool border_value, int threads, bool watertight, bool half_open)
{
    detail::check(polygon);
    detail::check_threads(threads);
    if (points.size() % 2 != 0)
        detail::refuse("points: pairs of x and y wanted, got " + std::to_string(points.size()) +
                       " numbers");
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!std::isfinite(points[i]))
            detail::refuse("points: point " + std::to_string(i / 2) + " is not finite");
    const auto count = static_cast<std::int64_t>(points.size() / 2);
    detail::check_size("out", out.size(), count);
    if (contains_unchecked(polygon, points.data(), count, out.data(), border_value, threads,
                           watertight, half_open) == Status::interrupted)
        throw Interrupted();
}

const char *version() noexcept
{
    return POLYMASK_VERSION;
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
    const detail::ToNearest rounding;
    const Job job = {polygon, rows, cols, nullptr, false, options};
    detail::check(polygon);
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
