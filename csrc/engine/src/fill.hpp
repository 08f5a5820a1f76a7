/* The engine: edges, bands, threads. */
#pragma once

#include "kernels.hpp"
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
};

/* What will be used for it. Throws std::runtime_error. */
struct Plan {
    const Kernels &kernels;
    Stores stores;
    int threads;
};
Plan plan(const Job &job);

/* Throws std::bad_alloc before anything is written. */
void fill(const Job &job, const Plan &plan);

} // namespace polymask::detail
