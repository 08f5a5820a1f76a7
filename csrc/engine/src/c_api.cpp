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
        fill_mask(polygon_of(vertices, vertex_count, ring_starts, ring_count), rows, cols,
                  span_of("out", out, out_size), options_for_cpp(options_of(options, of_masks)));
    });
}

int polymask_contains(const double *vertices, size_t vertex_count, const int64_t *ring_starts,
                      size_t ring_count, const double *points, size_t point_count, uint8_t *out,
                      const polymask_options *options, char *error)
{
    return status_of(error, [&] {
        contains(polygon_of(vertices, vertex_count, ring_starts, ring_count),
                 span_of("points", points, point_count, 2), span_of("out", out, point_count),
                 options_for_cpp(options_of(options, of_points)));
    });
}

int polymask_coverage(const double *vertices, size_t vertex_count, const int64_t *ring_starts,
                      size_t ring_count, int64_t rows, int64_t cols, float *out, size_t out_size,
                      const polymask_options *options, char *error)
{
    return status_of(error, [&] {
        const polymask_options c_options = options_of(options, of_fractions);
        const Options cpp_options = options_for_cpp(c_options);
        const Polygon polygon = polygon_of(vertices, vertex_count, ring_starts, ring_count);
        const std::span<float> pixels = span_of("out", out, out_size);
        if (c_options.subpixels == 0)
            coverage(polygon, rows, cols, pixels, cpp_options);
        else
            coverage_samples(polygon, rows, cols, c_options.subpixels, pixels, cpp_options);
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
