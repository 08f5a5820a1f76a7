/* The functions for C for many polygons. */

#include "polymask/polymask.h"

#include <algorithm>
#include <vector>

#include "c_api/arguments.hpp"
#include "polymask/crops.hpp"
#include "polymask/runs.hpp"

using namespace polymask;
using namespace polymask::detail;

int polymask_fill_labels(const polymask_polygons *polygons, const int32_t *labels,
                         size_t label_count, int64_t rows, int64_t cols, int32_t *out,
                         size_t out_size, const polymask_options *options, char *error)
{
    return status_of(error, [&] {
        const polymask_options c_options = options_of(options, of_labels);
        fill_labels<std::int32_t>(polygons_of(polygons),
                                  {.of_features = span_of("labels", labels, label_count),
                                   .background = c_options.background,
                                   .keeps_background = c_options.keeps_background != 0,
                                   .adds = c_options.adds != 0},
                                  rows, cols, span_of("out", out, out_size), on_top_of(c_options),
                                  options_for_cpp(c_options));
    });
}

int polymask_pixel_counts(const polymask_polygons *polygons, int64_t rows, int64_t cols,
                          int64_t *counts, size_t count_size, const polymask_options *options,
                          char *error)
{
    return status_of(error, [&] {
        pixel_counts(polygons_of(polygons), rows, cols, span_of("counts", counts, count_size),
                     options_for_cpp(options_of(options, of_runs)));
    });
}

int polymask_pixel_sums(const polymask_polygons *polygons, int64_t rows, int64_t cols,
                        polymask_sums *sums, size_t sum_count, const polymask_options *options,
                        char *error)
{
    return status_of(error, [&] {
        const std::span<polymask_sums> out = span_of("sums", sums, sum_count);
        std::vector<PixelSums> of_features(out.size());
        pixel_sums(polygons_of(polygons), rows, cols, of_features,
                   options_for_cpp(options_of(options, of_runs)));
        std::transform(
            of_features.begin(), of_features.end(), out.begin(),
            [](const PixelSums &of) { return polymask_sums{of.pixels, of.rows, of.columns}; });
    });
}

int polymask_label_runs(const polymask_polygons *polygons, int64_t rows, int64_t cols,
                        int64_t *ends, size_t end_count, int32_t *run_rows, int32_t *starts,
                        int32_t *stops, size_t *run_count, const polymask_options *options,
                        char *error)
{
    return status_of(error, [&] {
        const Polygons features = polygons_of(polygons);
        const Options cpp_options = options_for_cpp(options_of(options, of_runs));
        std::size_t &count = at("run_count", run_count);
        if (ends == nullptr) {
            count = size_of(most_runs(features, rows, cols, cpp_options));
            return;
        }
        const RunArrays<std::int32_t> out = {span_of("run_rows", run_rows, count),
                                             span_of("starts", starts, count),
                                             span_of("stops", stops, count)};
        try {
            count = size_of(label_runs(features, rows, cols, span_of("ends", ends, end_count), out,
                                       cpp_options));
        } catch (const TooSmall &small) {
            count = size_of(small.needed);
            throw;
        }
    });
}

int polymask_boxes(const polymask_polygons *polygons, int64_t rows, int64_t cols,
                   polymask_box *boxes, size_t box_count, const polymask_options *options,
                   char *error)
{
    return status_of(error, [&] {
        const std::span<polymask_box> out = span_of("boxes", boxes, box_count);
        std::vector<Box> of_features(out.size());
        MaskCropper(polygons_of(polygons), rows, cols,
                    options_for_cpp(options_of(options, of_runs)))
            .boxes(of_features);
        std::transform(of_features.begin(), of_features.end(), out.begin(), [](const Box &box) {
            return polymask_box{box.top, box.bottom, box.left, box.right};
        });
    });
}

int polymask_fill_crops(const polymask_polygons *polygons, int64_t rows, int64_t cols,
                        const polymask_box *boxes, size_t box_count, uint8_t *out, size_t out_size,
                        const polymask_options *options, char *error)
{
    return status_of(error, [&] {
        std::vector<Box> cpp_boxes;
        for (const polymask_box &box : span_of("boxes", boxes, box_count))
            cpp_boxes.push_back({box.top, box.bottom, box.left, box.right});
        MaskCropper(polygons_of(polygons), rows, cols,
                    options_for_cpp(options_of(options, of_crops)))
            .fill(0, cpp_boxes, span_of("out", out, out_size));
    });
}
