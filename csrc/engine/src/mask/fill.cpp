#include "mask/fill.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "kernels/kernels.hpp"
#include "mask/bands.hpp"
#include "mask/window.hpp"
#include "parallel/interrupt_poller.hpp"
#include "parallel/parallel_for.hpp"
#include "support/environment.hpp"

namespace polymask::detail
{

namespace
{

void zero(std::uint8_t *out, std::int64_t bytes, const Plan &plan)
{
    constexpr std::int64_t chunk = std::int64_t{1} << 21;
    const std::int64_t chunks = (bytes + chunk - 1) / chunk;
    parallel_for(plan.threads, chunks, [&] {
        return [&](std::int64_t index) {
            plan.kernels.zero(out + index * chunk, std::min(chunk, bytes - index * chunk),
                              plan.stores);
        };
    });
}

void stamp(const Job &job, const EdgeTable &table, const Layout &layout)
{
    const bool value = job.options.border == Border::inside;
    const auto stamps = table.stamps();
    for_each_interruptible(std::size_t{0}, stamps.size(), [&](std::size_t i) {
        const auto [row, column] = stamps[i];
        std::uint8_t *out = job.out + row * layout.pitch;
        if (job.packed) {
            const auto bit = static_cast<std::uint8_t>(1 << column % 8);
            std::uint8_t &byte = out[column / 8];
            byte = static_cast<std::uint8_t>(value ? byte | bit : byte & ~bit);
        } else {
            out[column] = value;
        }
    });
}

/* A part of the mask within Layout's limits, ready to be filled: all memory that the calling thread
 * needs is allocated. */
class Part
{
  public:
    /* `job.out` is the part's first byte. Throws std::bad_alloc, and Interrupted. */
    Part(const Job &job, const Plan &plan, const Window &window)
        : job_(job), plan_(plan), layout_(window, job.pitch(), job.packed, job.polygon.vertices,
                                          plan.threads, plan.kernels.has_tiles),
          table_(job.polygon, window, layout_, rule_of(job.options)), own_(workspace(layout_))
    {
    }

    /* May be called once, because it consumes the calling thread's work memory. */
    void fill(bool out_is_zero)
    {
        const auto worker_with = [this, out_is_zero](Array<std::uint64_t> memory) {
            return [this, out_is_zero, memory = std::move(memory)](std::int64_t index) {
                const Band band(layout_, index, job_.out);
                std::uint64_t *const bits = memory.get();
                plan_.kernels.toggle(table_, layout_, band, bits);
                if (job_.packed)
                    plan_.kernels.write_packed(bits, layout_, band, out_is_zero);
                else
                    plan_.kernels.write_bytes(bits, layout_, band, plan_.box_stores, out_is_zero);
            };
        };
        parallel_for(plan_.threads, layout_.bands, worker_with(std::move(own_)),
                     [&] { return worker_with(workspace(layout_)); });
        stamp(job_, table_, layout_);
    }

  private:
    const Job job_;
    const Plan &plan_;
    const Layout layout_;
    const EdgeTable table_;
    Array<std::uint64_t> own_;
};

void zero_rows(const Job &job, std::int64_t first, std::int64_t end, const Plan &plan)
{
    const std::int64_t row_bytes = job.row_bytes(), pitch = job.pitch();
    if (pitch == row_bytes) {
        zero(job.out + first * row_bytes, (end - first) * row_bytes, plan);
        return;
    }
    for (std::int64_t row = first; row < end; ++row)
        plan.kernels.zero(job.out + row * pitch, row_bytes, plan.stores);
}

/* Zeroes everything outside the box; a narrow box is also zeroed. */
void zero_rest(const Job &job, const Plan &plan)
{
    if (plan.box.cols() < job.cols) {
        zero_rows(job, 0, job.rows, plan);
        return;
    }
    zero_rows(job, 0, plan.box.top, plan);
    zero_rows(job, plan.box.bottom, job.rows, plan);
}

/* Fills point by point, for offsets so large that neighbouring samples are the same double. */
void fill_far_out(const Job &job)
{
    const Options &options = job.options;
    const double half = options.center ? 0.5 : 0;
    const auto vertices = static_cast<std::int64_t>(job.polygon.vertices.size() / 2);
    const Options of_point = {
        .border = options.border, .watertight = options.watertight, .threads = 1};
    InterruptPoller poller;
    for (std::int64_t row = 0; row < job.rows; ++row) {
        std::uint8_t *out = job.out + row * job.pitch();
        if (job.packed)
            std::fill_n(out, job.row_bytes(), std::uint8_t{0});
        for (std::int64_t column = 0; column < job.cols; ++column) {
            const double point[] = {static_cast<double>(column + options.column_offset) + half,
                                    static_cast<double>(row + options.row_offset) + half};
            std::uint8_t inside;
            poller.count(vertices);
            contains_unchecked(job.polygon, point, 1, &inside, of_point);
            if (job.packed)
                out[column / 8] = static_cast<std::uint8_t>(out[column / 8] | inside << column % 8);
            else
                out[column] = inside;
        }
    }
}

Window window_of(const Job &job) noexcept
{
    const Options &options = job.options;
    return {job.rows, job.cols, options.row_offset, options.column_offset,
            options.center ? 0.5 : 0.0};
}

bool is_far_out(const Job &job) noexcept
{
    return window_of(job).is_far() && !is_certain(job.extent);
}

std::int64_t bytes_of(const Job &job, const Box &box) noexcept
{
    return box.rows() * (job.packed ? packed_row_bytes(box.cols()) : box.cols());
}

/* Returns the part of the mask to fill: the rows of the bounding box, and its columns only if they
 * are few. Whole rows follow each other in memory, which saves more time than omitting some
 * columns. If the rest must be zeroed, everything is zeroed first, so the box is written twice. */
Box box_to_fill(const Job &job) noexcept
{
    Box box = bounding_box(job);
    if (job.packed) {
        box.left = box.left / 8 * 8;
        box.right = std::min((box.right + 7) / 8 * 8, job.cols);
    }
    const std::int64_t whole = job.rows * job.row_bytes(), few = bytes_of(job, box);
    if (job.options.out_is_zero ? box.cols() > job.cols / 2 : few > whole / 8)
        box.left = 0, box.right = job.cols;
    return box;
}

/* Estimates the time of one thread: 50 bytes are written per nanosecond, and with random vertices
 * every third edge crosses a given row, in half a nanosecond. */
double microseconds(const Job &job, const Box &box) noexcept
{
    const Box written = job.options.out_is_zero ? box : Box{0, job.rows, 0, job.cols};
    const auto samples = static_cast<double>(written.rows()) * static_cast<double>(written.cols());
    constexpr double few_samples = 1 << 19;
    if (samples < few_samples)
        return 0;
    const auto vertices = static_cast<double>(job.polygon.vertices.size() / 2);
    return (samples / 50 + static_cast<double>(box.rows()) * vertices / 3 * 0.5) * 1e-3;
}

} // namespace

Box bounding_box(const Job &job) noexcept
{
    return box_in_any(job.extent, window_of(job));
}

Plan plan(const Job &job)
{
    const Options &options = job.options;
    const Kernels &kernels = choose_kernels(options.instruction_set);
    const Box box = box_to_fill(job);
    const std::int64_t whole = job.rows * job.row_bytes(), inside = bytes_of(job, box);
    const auto stores = [&](std::int64_t bytes) {
        return choose_stores(options.stores, kernels.instruction_set,
                             static_cast<std::size_t>(bytes));
    };
    const Stores all = stores(options.out_is_zero ? inside : whole);
    return {kernels, all, choose_threads(options.threads, microseconds(job, box)), box,
            box.cols() == job.cols ? all : stores(inside)};
}

void fill(const Job &job, const Plan &plan)
{
    if (job.rows == 0 || job.cols == 0)
        return;
    if (is_far_out(job)) {
        fill_far_out(job);
        return;
    }
    const Options &options = job.options;
    const Box &box = plan.box;
    const bool is_zero_first = options.out_is_zero || box.cols() < job.cols;
    bool rest_is_zero = options.out_is_zero;
    for (std::int64_t row = box.top; row < box.bottom; row += Layout::max_rows) {
        for (std::int64_t column = box.left; column < box.right; column += Layout::max_cols) {
            if (row > box.top || column > box.left) /* few masks have a second part */
                Interruption::stop_if_asked();
            const Window window = {std::min(box.bottom - row, Layout::max_rows),
                                   std::min(box.right - column, Layout::max_cols),
                                   options.row_offset + row, options.column_offset + column,
                                   options.center ? 0.5 : 0.0};
            Job job_of_part = job;
            job_of_part.out += row * job.pitch() + (job.packed ? column / 8 : column);
            Part part(job_of_part, plan, window);
            if (!rest_is_zero) /* after the allocations for the part, so that nothing fails later */
                zero_rest(job, plan);
            rest_is_zero = true;
            part.fill(is_zero_first);
        }
    }
    if (!rest_is_zero)
        zero_rest(job, plan);
}

Status plan_and_fill(const Job &job) noexcept
{
    try {
        fill(job, plan(job));
        return Status::ok;
    } catch (const std::bad_alloc &) {
        return Status::out_of_memory;
    } catch (const Interrupted &) {
        return Status::interrupted;
    } catch (...) { /* plan()'s std::runtime_error */
        return Status::unavailable;
    }
}

} // namespace polymask::detail
