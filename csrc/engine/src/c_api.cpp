/* The functions for C: they convert their arguments for C++, and exceptions to a status. They do
 * not repeat the checks of the C++ functions. */

#include "polymask/polymask.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "polymask/coverage.hpp"
#include "polymask/labels.hpp"
#include "polymask/polymask.hpp"
#include "support/checks.hpp"
#include "support/outcome.hpp"

namespace polymask::inline POLYMASK_ABI
{

namespace
{

using detail::refuse;

template <class Work> int status_of(char *error, Work work) noexcept
{
    static_assert(POLYMASK_DONE == static_cast<int>(Status::ok));
    static_assert(POLYMASK_INVALID == static_cast<int>(Status::invalid));
    static_assert(POLYMASK_UNAVAILABLE == static_cast<int>(Status::unavailable));
    static_assert(POLYMASK_OUT_OF_MEMORY == static_cast<int>(Status::out_of_memory));
    static_assert(POLYMASK_INTERRUPTED == static_cast<int>(Status::interrupted));
    static_assert(POLYMASK_FAILED == static_cast<int>(Status::failed));
    static_assert(POLYMASK_ERROR_SIZE == sizeof Outcome::message);
    const Outcome outcome = detail::outcome_of(work);
    if (error != nullptr)
        std::strcpy(error, outcome.message);
    return static_cast<int>(outcome.status);
}

/* Returns a span of `count` elements of `numbers` numbers each. */
template <class T>
std::span<T> span_of(const char *name, T *data, std::size_t count, std::size_t numbers = 1)
{
    if (data == nullptr && count > 0)
        refuse(std::string(name) + ": NULL, but the count is " + std::to_string(count));
    if (count > PTRDIFF_MAX / sizeof(T) / numbers)
        refuse(std::string(name) + ": " + std::to_string(count) + " are beyond the address space");
    return {data, count * numbers};
}

/* Returns a span of `count` + 1 offsets; the array may be missing if `count` is 0. */
std::span<const std::int64_t> offsets_of(const char *name, const std::int64_t *data,
                                         std::size_t count)
{
    if (data == nullptr)
        return span_of(name, data, count);
    return span_of(name, data, std::max(count, count + 1)); /* SIZE_MAX stays unchanged */
}

Polygon polygon_of(const double *vertices, std::size_t vertex_count,
                   const std::int64_t *ring_starts, std::size_t ring_count)
{
    return {span_of("vertices", vertices, vertex_count, 2),
            span_of("ring_starts", ring_starts, ring_count)};
}

Polygons polygons_of(const polymask_polygons *polygons)
{
    if (polygons == nullptr)
        refuse("polygons: NULL");
    const polymask_polygons &p = *polygons;
    return {span_of("vertices", p.vertices, p.vertex_count, 2),
            offsets_of("ring_offsets", p.ring_offsets, p.ring_count),
            offsets_of("polygon_offsets", p.polygon_offsets, p.polygon_count),
            offsets_of("feature_offsets", p.feature_offsets, p.feature_count)};
}

/* The functions that have an option. */
enum : unsigned { of_masks = 1, of_points = 2, of_labels = 4, of_fractions = 8 };

/* Returns the given options, from any version of the struct; options not for `user` must be 0. */
polymask_options options_of(const polymask_options *source, unsigned user)
{
    polymask_options options = {};
    static_assert(offsetof(polymask_options, subpixels) + sizeof options.subpixels ==
                      sizeof options,
                  "bytes after the last field may belong to a newer version");
    if (source == nullptr)
        return options;
    const std::size_t size = source->size;
    constexpr std::size_t most = 4096; /* a larger `size` is uninitialised memory */
    if (size < sizeof size || size > most)
        refuse("options: size is sizeof(polymask_options), " + std::to_string(sizeof options) +
               ", not " + std::to_string(size));
    std::memcpy(&options, source, std::min(size, sizeof options));
    const auto *bytes = reinterpret_cast<const unsigned char *>(source);
    for (std::size_t i = sizeof options; i < size; ++i)
        if (bytes[i] != 0)
            refuse("options: byte " + std::to_string(i) + " is set, which version " +
                   std::string(version()) + " does not know");

    const struct {
        const char *name;
        std::int64_t value;
        unsigned users;
    } fields[] = {
        {"row_offset", options.row_offset, of_masks | of_labels | of_fractions},
        {"column_offset", options.column_offset, of_masks | of_labels | of_fractions},
        {"row_stride", options.row_stride, of_masks | of_labels | of_fractions},
        {"center", options.center, of_masks | of_labels | of_fractions},
        {"out_is_zero", options.out_is_zero, of_masks | of_labels | of_fractions},
        {"instruction_set", options.instruction_set, of_masks | of_labels | of_fractions},
        {"border", options.border, of_masks | of_labels | of_points},
        {"watertight", options.watertight, of_masks | of_labels | of_points},
        {"threads", options.threads, of_masks | of_labels | of_points},
        {"stores", options.stores, of_masks},
        {"on_top", options.on_top, of_labels},
        {"background", options.background, of_labels},
        {"keeps_background", options.keeps_background, of_labels},
        {"adds", options.adds, of_labels},
        {"subpixels", options.subpixels, of_fractions},
    };
    for (const auto &field : fields)
        if (field.value != 0 && (field.users & user) == 0)
            refuse(std::string(field.name) + ": this function has no such option");
    return options;
}

/* Converts a number to the C++ enumerator of the same value. */
template <class Enum> Enum one_of(const char *name, std::int32_t value, Enum last)
{
    if (value < 0 || value > static_cast<std::int32_t>(last))
        refuse(std::string(name) + ": " + std::to_string(value) + " is not in polymask_" + name);
    return static_cast<Enum>(value);
}

InstructionSet instruction_set_of(const polymask_options &options)
{
    static_assert(POLYMASK_ISA_AUTOMATIC == static_cast<int>(InstructionSet::automatic));
    static_assert(POLYMASK_ISA_PLAIN == static_cast<int>(InstructionSet::plain));
    static_assert(POLYMASK_ISA_AVX2 == static_cast<int>(InstructionSet::avx2));
    static_assert(POLYMASK_ISA_AVX512 == static_cast<int>(InstructionSet::avx512));
    static_assert(POLYMASK_ISA_NEON == static_cast<int>(InstructionSet::neon));
    return one_of("instruction_set", options.instruction_set, InstructionSet::neon);
}

Stores stores_of(const polymask_options &options)
{
    static_assert(POLYMASK_STORES_AUTOMATIC == static_cast<int>(Stores::automatic));
    static_assert(POLYMASK_STORES_CACHED == static_cast<int>(Stores::cached));
    static_assert(POLYMASK_STORES_PREFETCHED == static_cast<int>(Stores::prefetched));
    static_assert(POLYMASK_STORES_STREAMING == static_cast<int>(Stores::streaming));
    return one_of("stores", options.stores, Stores::streaming);
}

OnTop on_top_of(const polymask_options &options)
{
    static_assert(POLYMASK_ON_TOP_LAST == static_cast<int>(OnTop::last));
    static_assert(POLYMASK_ON_TOP_FIRST == static_cast<int>(OnTop::first));
    static_assert(POLYMASK_ON_TOP_SMALLEST == static_cast<int>(OnTop::smallest));
    return one_of("on_top", options.on_top, OnTop::smallest);
}

Grid grid_of(std::int64_t rows, std::int64_t cols, const polymask_options &options)
{
    return {.shape = {rows, cols},
            .center = options.center != 0,
            .row_offset = options.row_offset,
            .column_offset = options.column_offset};
}

Rule rule_of(const polymask_options &options)
{
    static_assert(POLYMASK_BORDER_INSIDE == static_cast<int>(Border::inside));
    static_assert(POLYMASK_BORDER_OUTSIDE == static_cast<int>(Border::outside));
    static_assert(POLYMASK_BORDER_HALF_OPEN == static_cast<int>(Border::half_open));
    return {.border = one_of("border", options.border, Border::half_open),
            .watertight = options.watertight != 0};
}

Output output_of(const polymask_options &options)
{
    return {.out_is_zero = options.out_is_zero != 0, .row_stride = options.row_stride};
}

Work work_of(const polymask_options &options)
{
    return {.threads = options.threads,
            .instruction_set = instruction_set_of(options),
            .stores = stores_of(options)};
}

} // namespace

} // namespace polymask::inline POLYMASK_ABI

using namespace polymask;

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

int polymask_fill_labels(const polymask_polygons *polygons, const int32_t *labels,
                         size_t label_count, int64_t rows, int64_t cols, int32_t *out,
                         size_t out_size, const polymask_options *options, char *error)
{
    return status_of(error, [&] {
        const polymask_options given = options_of(options, of_labels);
        fill_labels<std::int32_t>(polygons_of(polygons), grid_of(rows, cols, given),
                                  {.of_features = span_of("labels", labels, label_count),
                                   .background = given.background,
                                   .keeps_background = given.keeps_background != 0,
                                   .adds = given.adds != 0},
                                  span_of("out", out, out_size), on_top_of(given), rule_of(given),
                                  output_of(given), work_of(given));
    });
}

int polymask_coverage(const double *vertices, size_t vertex_count, const int64_t *ring_starts,
                      size_t ring_count, int64_t rows, int64_t cols, float *out, size_t out_size,
                      const polymask_options *options, char *error)
{
    return status_of(error, [&] {
        const polymask_options given = options_of(options, of_fractions);
        const Grid grid = grid_of(rows, cols, given);
        const InstructionSet instruction_set = instruction_set_of(given);
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
