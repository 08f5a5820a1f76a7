#include "mask/fill.hpp"

#include <algorithm>
#include <utility>

#include "kernels/kernels.hpp"
#include "mask/bands.hpp"
#include "mask/window.hpp"
#include "parallel/interrupt_poller.hpp"
#include "parallel/parallel_for.hpp"
#include "support/environment.hpp"
#include "support/outcome.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

namespace
{

/* Zeroes a box; if samples are bits, whole bytes. */
void zero(const Job &job, const Box &box, const Plan &plan)
{
    const std::int64_t first = job.packed ? box.left / 8 : box.left,
                       bytes = (job.packed ? packed_row_bytes(box.right) : box.right) - first,
                       pitch = job.pitch();
    /* Chunks of about 2 MiB; rows without gaps are one run of bytes. */
    constexpr std::int64_t chunk = std::int64_t{1} << 21;
    std::uint8_t *const out = job.out + box.top * pitch + first;
    const Team team = {plan.threads, plan.executor};
    if (bytes == pitch) {
        const std::int64_t all = box.rows() * bytes;
        parallel_for(team, (all + chunk - 1) / chunk, [&] {
            return [&](std::int64_t index) {
                plan.kernels.zero(out + index * chunk, std::min(chunk, all - index * chunk),
                                  plan.stores);
            };
        });
        return;
    }
    const std::int64_t rows = std::max(chunk / bytes, std::int64_t{1});
    parallel_for(team, (box.rows() + rows - 1) / rows, [&] {
        return [&](std::int64_t index) {
            const std::int64_t end = std::min((index + 1) * rows, box.rows());
            for (std::int64_t row = index * rows; row < end; ++row)
                plan.kernels.zero(out + row * pitch, bytes, plan.stores);
        };
    });
}

void stamp(const Job &job, const EdgeTable &table, const Layout &layout)
{
    const bool value = job.rule.border == Border::inside;
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
          table_(job.polygon, window, layout_, job.rule), own_(workspace(layout_))
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
        parallel_for({plan_.threads, plan_.executor}, layout_.bands, worker_with(std::move(own_)),
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

/* Zeroes the samples outside the box to be filled that may be 1, also those in it if `all`. A dirty
 * box then holds all that may be 1 while the mask is filled. */
void zero_rest(const Job &job, const Plan &plan, bool all)
{
    Box old = {0, job.rows(), 0, job.cols()};
    if (Box *const dirty = job.output.dirty)
        old = std::exchange(*dirty, hull(*dirty, plan.reached));
    for_rest(old, all ? Box{} : plan.box, [&](const Box &part) { zero(job, part, plan); });
}

/* Fills point by point, for offsets so large that neighbouring samples are the same double. */
void fill_far_out(const Job &job)
{
    const Grid &grid = job.grid;
    const double half = grid.center ? 0.5 : 0;
    const auto vertices = static_cast<std::int64_t>(job.polygon.vertices.size() / 2);
    InterruptPoller poller;
    for (std::int64_t row = 0; row < job.rows(); ++row) {
        std::uint8_t *out = job.out + row * job.pitch();
        if (job.packed)
            std::fill_n(out, job.row_bytes(), std::uint8_t{0});
        for (std::int64_t column = 0; column < job.cols(); ++column) {
            const double point[] = {static_cast<double>(column + grid.column_offset) + half,
                                    static_cast<double>(row + grid.row_offset) + half};
            std::uint8_t inside = 0;
            poller.count(vertices);
            contains_unchecked(job.polygon, point, 1, &inside, job.rule, {.threads = 1});
            if (job.packed)
                out[column / 8] = static_cast<std::uint8_t>(out[column / 8] | inside << column % 8);
            else
                out[column] = inside;
        }
    }
}

bool is_far_out(const Job &job) noexcept
{
    return window_of(job.grid).is_far() && !is_certain(job.extent);
}

/* Returns whether only the polygon's box, and a dirty one, need to be written. */
bool is_zero_around(const Job &job) noexcept
{
    return job.output.out_is_zero || job.output.dirty != nullptr;
}

std::int64_t bytes_of(const Job &job, const Box &box) noexcept
{
    return box.rows() * (job.packed ? packed_row_bytes(box.cols()) : box.cols());
}

/* Returns the part of the mask to fill: the rows of its bounding box, and its columns only if they
 * are few. Whole rows follow each other in memory, which saves more time than omitting some
 * columns. If the rest must be zeroed, everything is zeroed first, so the box is written twice. */
Box box_to_fill(const Job &job, Box box) noexcept
{
    if (job.packed) {
        box.left = box.left / 8 * 8;
        box.right = std::min((box.right + 7) / 8 * 8, job.cols());
    }
    const std::int64_t whole = job.rows() * job.row_bytes(), few = bytes_of(job, box);
    if (is_zero_around(job) ? box.cols() > job.cols() / 2 : few > whole / 8)
        box.left = 0, box.right = job.cols();
    return box;
}

/* Estimates the time of one thread: 50 bytes are written per nanosecond, and with random vertices
 * every third edge crosses a given row, in half a nanosecond. */
double microseconds(const Job &job, const Box &box) noexcept
{
    const auto area = [](const Box &part) {
        return static_cast<double>(part.rows()) * static_cast<double>(part.cols());
    };
    const Box *const dirty = job.output.dirty;
    const double samples =
        (is_zero_around(job) ? area(box) : area({0, job.rows(), 0, job.cols()})) +
        (dirty != nullptr ? area(*dirty) : 0);
    constexpr double few_samples = 1 << 19;
    if (samples < few_samples)
        return 0;
    const auto vertices = static_cast<double>(job.polygon.vertices.size() / 2);
    return (samples / 50 + static_cast<double>(box.rows()) * vertices / 3 * 0.5) * 1e-3;
}

} // namespace

Plan plan(const Job &job)
{
    const Work &work = job.work;
    const Box *const dirty = job.output.dirty;
    const Kernels &kernels = choose_kernels(work.instruction_set);
    const Box reached = box_in_any(job.extent, window_of(job.grid)),
              box = box_to_fill(job, reached);
    const std::int64_t whole = job.rows() * job.row_bytes(), inside = bytes_of(job, box);
    const auto stores = [&](std::int64_t bytes) {
        return choose_stores(work.stores, kernels.instruction_set, static_cast<std::size_t>(bytes));
    };
    const Stores all = stores((is_zero_around(job) ? inside : whole) +
                              (dirty != nullptr ? bytes_of(job, *dirty) : 0));
    return {kernels, all, choose_threads(work.threads, microseconds(job, box)), work.executor,
            reached, box, box.cols() == job.cols() ? all : stores(inside)};
}

void fill(const Job &job, const Plan &plan)
{
    if (job.rows() == 0 || job.cols() == 0)
        return;
    if (is_far_out(job)) { /* the box is the whole window */
        if (job.output.dirty != nullptr)
            *job.output.dirty = plan.reached;
        fill_far_out(job);
        return;
    }
    const Grid &grid = job.grid;
    const Box &box = plan.box;
    const Output &output = job.output;
    /* A box that overlaps the dirty one is not zeroed in it, but written completely. */
    const bool is_zero_first = output.dirty != nullptr
                                   ? !overlap(*output.dirty, box)
                                   : output.out_is_zero || box.cols() < job.cols();
    bool rest_is_zero = output.out_is_zero;
    for (std::int64_t row = box.top; row < box.bottom; row += Layout::max_rows) {
        for (std::int64_t column = box.left; column < box.right; column += Layout::max_cols) {
            if (row > box.top || column > box.left) /* few masks have a second part */
                Interruption::stop_if_asked();
            const Window window = {std::min(box.bottom - row, Layout::max_rows),
                                   std::min(box.right - column, Layout::max_cols),
                                   grid.row_offset + row, grid.column_offset + column,
                                   grid.center ? 0.5 : 0.0};
            Job job_of_part = job;
            job_of_part.out += row * job.pitch() + (job.packed ? column / 8 : column);
            Part part(job_of_part, plan, window);
            if (!rest_is_zero) /* after the allocations for the part, so that nothing fails later */
                zero_rest(job, plan, is_zero_first);
            rest_is_zero = true;
            part.fill(is_zero_first);
        }
    }
    if (!rest_is_zero)
        zero_rest(job, plan, is_zero_first);
    if (output.dirty != nullptr)
        *output.dirty = plan.reached;
}

Status plan_and_fill(const Job &job) noexcept
{
    return outcome_of([&] { fill(job, plan(job)); }).status;
}

} // namespace polymask::inline POLYMASK_ABI::detail
