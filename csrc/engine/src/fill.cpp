#include "fill.hpp"

#include <algorithm>
#include <memory>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "array.hpp"
#include "dispatch.hpp"
#include "edges.hpp"
#include "stores.hpp"
#include "threads.hpp"

namespace polymask::detail
{

namespace
{

/* One thread's work memory: a band's bits, all zero between bands, and room to sort its edges. */
class Workspace
{
  public:
    Workspace() = default;
    Workspace(const Layout &layout, const EdgeTable &table)
        : bits_(std::make_unique<std::uint64_t[]>(layout.buffer_words()))
    {
        if (layout.ordered) {
            const std::size_t edges = table.size();
            indices_ = uninitialized<std::uint32_t>(2 * edges);
            strips_ = uninitialized<std::uint16_t>(edges);
            starts_ = uninitialized<std::uint32_t>(static_cast<std::size_t>(layout.strips()) + 1);
            order_ = {indices_.get(), indices_.get() + edges, strips_.get(), starts_.get()};
        }
    }
    std::uint64_t *bits() const noexcept { return bits_.get(); }
    const StripOrder &order() const noexcept { return order_; }

  private:
    Array<std::uint64_t> bits_;
    Array<std::uint32_t> indices_, starts_;
    Array<std::uint16_t> strips_;
    StripOrder order_ = {};
};

void fill_band(const Job &job, const Plan &plan, const EdgeTable &table, const Layout &layout,
               const Workspace &workspace, std::int64_t index) noexcept
{
    const Band band(layout, index, job.out);
    plan.kernels.toggle(table, layout, band, workspace.bits(), workspace.order());
    if (job.packed)
        plan.kernels.write_packed(workspace.bits(), layout, band, job.options.out_is_zero);
    else
        plan.kernels.write_bytes(workspace.bits(), layout, band, plan.stores,
                                 job.options.out_is_zero);
}

void stamp(const Job &job, const EdgeTable &table, const Layout &layout) noexcept
{
    const bool value = job.options.border_value;
    for (const auto [row, column] : table.stamps()) {
        std::uint8_t *out = job.out + row * layout.pitch;
        if (job.packed) {
            const auto bit = static_cast<std::uint8_t>(1 << column % 8);
            std::uint8_t &byte = out[column / 8];
            byte = static_cast<std::uint8_t>(value ? byte | bit : byte & ~bit);
        } else {
            out[column] = value;
        }
    }
}

/* A part of the mask that Layout's limits allow. */
void fill_part(const Job &job, const Plan &plan, const Window &window, std::int64_t pitch)
{
    const Layout layout(window, pitch, job.packed, job.polygon.vertices.size() / 2, plan.threads);
    const EdgeTable table(job.polygon, window, layout);
    const int threads = static_cast<int>(std::min(std::int64_t{plan.threads}, layout.bands));

    const Workspace workspace(layout, table);
#ifdef _OPENMP
    if (threads > 1) {
        const auto others = std::make_unique<Workspace[]>(static_cast<std::size_t>(threads) - 1);
        for (int i = 0; i < threads - 1; ++i)
            others[static_cast<std::size_t>(i)] = Workspace(layout, table);
        /* Bands differ in work and threads in speed: whoever is free takes the next. */
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (std::int64_t index = 0; index < layout.bands; ++index) {
            const int thread = omp_get_thread_num();
            fill_band(job, plan, table, layout,
                      thread == 0 ? workspace : others[static_cast<std::size_t>(thread) - 1],
                      index);
        }
        stamp(job, table, layout);
        return;
    }
#endif
    static_cast<void>(threads);
    for (std::int64_t index = 0; index < layout.bands; ++index)
        fill_band(job, plan, table, layout, workspace, index);
    stamp(job, table, layout);
}

/* Offsets so large that neighbouring samples are one double: point by point. */
void fill_far_out(const Job &job) noexcept
{
    const Options &options = job.options;
    const double half = options.center ? 0.5 : 0;
    for (std::int64_t row = 0; row < job.rows; ++row) {
        std::uint8_t *out = job.out + row * job.row_bytes();
        if (job.packed)
            std::fill_n(out, job.row_bytes(), std::uint8_t{0});
        for (std::int64_t column = 0; column < job.cols; ++column) {
            const double point[] = {static_cast<double>(column + options.column_offset) + half,
                                    static_cast<double>(row + options.row_offset) + half};
            std::uint8_t inside;
            contains_unchecked(job.polygon, point, 1, &inside, options.border_value);
            if (job.packed)
                out[column / 8] = static_cast<std::uint8_t>(out[column / 8] | inside << column % 8);
            else
                out[column] = inside;
        }
    }
}

/* How long one thread would take, roughly: bytes are written at 50 a nanosecond, and of random
 * vertices every third edge crosses a given row, for half a nanosecond. */
double microseconds(const Job &job) noexcept
{
    const auto rows = static_cast<double>(job.rows), cols = static_cast<double>(job.cols);
    constexpr double few_pixels = 1 << 19;
    if (rows * cols < few_pixels)
        return 0;
    const auto vertices = static_cast<double>(job.polygon.vertices.size() / 2);
    return (rows * cols / 50 + rows * vertices / 3 * 0.5) * 1e-3;
}

bool is_far_out(std::int64_t offset, std::int64_t size) noexcept
{
    return offset < -Window::max_sample || offset > Window::max_sample - size;
}

} // namespace

Plan plan(const Job &job)
{
    const Kernels &kernels = choose_kernels(job.options.instruction_set);
    const auto bytes = static_cast<std::size_t>(job.rows * job.row_bytes());
    return {kernels, choose_stores(job.options.stores, kernels.instruction_set, bytes),
            choose_threads(job.options.threads, microseconds(job))};
}

void fill(const Job &job, const Plan &plan)
{
    if (job.rows == 0 || job.cols == 0)
        return;
    const Options &options = job.options;
    if (is_far_out(options.row_offset, job.rows) || is_far_out(options.column_offset, job.cols)) {
        fill_far_out(job);
        return;
    }
    for (std::int64_t row = 0; row < job.rows; row += Layout::max_rows) {
        for (std::int64_t column = 0; column < job.cols; column += Layout::max_cols) {
            const Window window = {std::min(job.rows - row, Layout::max_rows),
                                   std::min(job.cols - column, Layout::max_cols),
                                   options.row_offset + row, options.column_offset + column,
                                   options.center ? 0.5 : 0.0};
            Job part = job;
            part.out += row * job.row_bytes() + (job.packed ? column / 8 : column);
            fill_part(part, plan, window, job.row_bytes());
        }
    }
}

} // namespace polymask::detail
