/* The functions for C from pixels to polygons. */

#include "polymask/polymask.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "c_api/arguments.hpp"
#include "polymask/outlines.hpp"

using namespace polymask;
using namespace polymask::detail;

struct polymask_outlines {
    TracedOutlines traced;
};

namespace
{

/* Calls trace(options for C, options for C++). */
template <class Trace>
int traced(const polymask_options *options, unsigned user, polymask_outlines **outlines,
           char *error, const Trace &trace)
{
    return status_of(error, [&] {
        polymask_outlines *&result = at("outlines", outlines);
        result = nullptr;
        const polymask_options given = options_of(options, user);
        auto made = std::make_unique<polymask_outlines>();
        made->traced =
            trace(given, {.connectivity = given.joins_corners != 0 ? Connectivity::corners
                                                                   : Connectivity::sides,
                          .center = given.center != 0,
                          .row_offset = given.row_offset,
                          .column_offset = given.column_offset});
        result = made.release();
    });
}

/* Returns an image whose elements the caller provides. */
template <class T>
LabelImage image_of(const char *name, const T *data, std::size_t size, std::int64_t rows,
                    std::int64_t cols, std::int64_t row_stride)
{
    return {span_of(name, data, size), rows, cols, row_stride};
}

/* Returns the beginning of an output, of `needed` elements. */
template <class T>
std::span<T> room_for(const char *name, std::span<T> out, std::int64_t needed, const char *unit)
{
    if (std::cmp_less(out.size(), needed))
        throw TooSmall(name, needed, out.size(), unit);
    return out.first(static_cast<std::size_t>(needed));
}

} // namespace

int polymask_trace_mask(const uint8_t *mask, size_t mask_size, int64_t rows, int64_t cols,
                        polymask_outlines **outlines, const polymask_options *options, char *error)
{
    return traced(options, of_mask_outlines, outlines, error,
                  [&](const polymask_options &given, const OutlineOptions &tracing) {
                      return trace_mask(
                          image_of("mask", mask, mask_size, rows, cols, given.row_stride), tracing);
                  });
}

int polymask_trace_labels(const int32_t *labels, size_t label_count, int64_t rows, int64_t cols,
                          polymask_outlines **outlines, const polymask_options *options,
                          char *error)
{
    return traced(options, of_label_outlines, outlines, error,
                  [&](const polymask_options &given, const OutlineOptions &tracing) {
                      return trace_labels(
                          image_of("labels", labels, label_count, rows, cols, given.row_stride),
                          given.background, tracing);
                  });
}

int polymask_write_outlines(const polymask_outlines *outlines, double *vertices,
                            size_t *vertex_count, int64_t *ring_offsets, size_t *ring_count,
                            int64_t *polygon_offsets, size_t *polygon_count, int32_t *labels,
                            char *error)
{
    return status_of(error, [&] {
        const TracedOutlines &traced = at("outlines", outlines).traced;
        std::size_t &vertex_room = at("vertex_count", vertex_count),
                    &ring_room = at("ring_count", ring_count),
                    &polygon_room = at("polygon_count", polygon_count);
        const auto set_counts = [&] {
            vertex_room = size_of(traced.vertices());
            ring_room = size_of(traced.rings());
            polygon_room = size_of(traced.polygons());
        };
        if (ring_offsets == nullptr)
            return set_counts();
        const auto vertex_out = span_of("vertices", vertices, vertex_room, 2);
        const auto rings_out = offsets_of("ring_offsets", ring_offsets, ring_room);
        const auto polygons_out = offsets_of("polygon_offsets", polygon_offsets, polygon_room);
        std::vector<std::int64_t> of_polygons(size_of(traced.polygons()));
        try {
            traced.write(
                room_for("vertices", vertex_out, 2 * traced.vertices(), "numbers"),
                room_for("ring_offsets", rings_out, traced.rings() + 1, "offsets"),
                room_for("polygon_offsets", polygons_out, traced.polygons() + 1, "offsets"),
                of_polygons);
        } catch (const TooSmall &) {
            set_counts();
            throw;
        }
        set_counts();
        if (labels != nullptr)
            std::transform(of_polygons.begin(), of_polygons.end(), labels,
                           [](std::int64_t label) { return static_cast<std::int32_t>(label); });
    });
}

void polymask_free_outlines(polymask_outlines *outlines)
{
    delete outlines;
}
