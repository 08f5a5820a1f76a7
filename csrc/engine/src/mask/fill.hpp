/* The engine for single masks: edges, bands and threads. */
#pragma once

#include "kernels/kernels.hpp"
#include "mask/window.hpp"
#include "polymask/polymask.hpp"

namespace polymask::detail
{

/* The checked arguments of a call. The vertices have been read once, for their extent; only the
 * edges read them again. */
struct Job {
    const Polygon &polygon;
    Extent extent;
    std::int64_t rows, cols;
    std::uint8_t *out;
    bool packed;
    const Options &options;

    std::int64_t row_bytes() const noexcept { return packed ? packed_row_bytes(cols) : cols; }
    /* from row to row */
    std::int64_t pitch() const noexcept
    {
        return options.row_stride != 0 ? options.row_stride : row_bytes();
    }
};

/* Returns a box that contains the polygon; all samples if they are too far out to decide. */
Box bounding_box(const Job &job) noexcept;

/* The choices for a job. plan() throws std::runtime_error. */
struct Plan {
    const Kernels &kernels;
    Stores stores;
    int threads;
    Box box;           /* is filled; the rest is zeroed, unless it is already zero */
    Stores box_stores; /* in the box */
};
Plan plan(const Job &job);

/* Throws std::bad_alloc before anything is written. */
void fill(const Job &job, const Plan &plan);

/* Both, for callers without exceptions. */
Status plan_and_fill(const Job &job) noexcept;

} // namespace polymask::detail
