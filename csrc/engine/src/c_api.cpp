/* The functions for C for one polygon, and those that describe the library. */

#include "polymask/polymask.h"

#include "c_api/arguments.hpp"
#include "polymask/coverage.hpp"

using namespace polymask;
using namespace polymask::detail;

int polymask_fill_mask(const double *vertices, size_t vertex_count, const int64_t *ring_starts,
                       size_t ring_count, int64_t rows, int64_t cols, uint8_t *out, size_t out_size,
                       const polymask_options *options, char *error)
{
    return status_of(error, [&] {
        const polymask_options given = options_of(options, of_masks);
        fill_mask(polygon_of(vertices, vertex_count, ring_starts, ring_count),
                  grid_of(rows, cols, given), span_of("out", out, out_size), rule_of(given),
                  output_of(given), work_of(given));
    });
}

int polymask_contains(const double *vertices, size_t vertex_count, const int64_t *ring_starts,
                      size_t ring_count, const double *points, size_t point_count, uint8_t *out,
                      const polymask_options *options, char *error)
{
    return status_of(error, [&] {
        const polymask_options given = options_of(options, of_points);
        contains(polygon_of(vertices, vertex_count, ring_starts, ring_count),
                 span_of("points", points, point_count, 2), span_of("out", out, point_count),
                 rule_of(given), work_of(given));
    });
}

int polymask_coverage(const double *vertices, size_t vertex_count, const int64_t *ring_starts,
                      size_t ring_count, int64_t rows, int64_t cols, float *out, size_t out_size,
                      const polymask_options *options, char *error)
{
    return status_of(error, [&] {
        const polymask_options given = options_of(options, of_fractions);
        const Grid grid = grid_of(rows, cols, given);
        const InstructionSet instruction_set = work_of(given).instruction_set;
        const Polygon polygon = polygon_of(vertices, vertex_count, ring_starts, ring_count);
        const std::span<float> pixels = span_of("out", out, out_size);
        if (given.subpixels == 0)
            coverage(polygon, grid, pixels, output_of(given), instruction_set);
        else
            coverage_samples(polygon, grid, given.subpixels, pixels, given.row_stride,
                             instruction_set);
    });
}

void polymask_read_environment(void)
{
    polymask::read_environment();
}

const char *polymask_version(void)
{
    return version();
}

int32_t polymask_version_number(void)
{
    return POLYMASK_VERSION_NUMBER;
}
