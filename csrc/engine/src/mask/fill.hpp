/* The engine: edges, bands, threads. */
#pragma once

#include "kernels/kernels.hpp"
#include "polymask/polymask.hpp"

namespace polymask::detail
{

/* What was asked for, checked. */
struct Job {
    const Polygon &polygon;
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

/* Where the polygon can be; all samples where they are too far out to tell. */
Box bounding_box(const Job &job) noexcept;

/* What will be used for it, and where. Throws std::runtime_error. */
struct Plan {
    const Kernels &kernels;
    Stores stores;
    int threads;
    Box box;           /* that is filled; what lies outside is zeroed, unless it is zero already */
    Stores box_stores; /* inside of it */
};
Plan plan(const Job &job);

/* Throws std::bad_alloc before anything is written. */
void fill(const Job &job, const Plan &plan);

} // namespace polymask::detail
