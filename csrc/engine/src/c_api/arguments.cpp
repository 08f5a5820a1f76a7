#include "c_api/arguments.hpp"

#include <cstring>

#include "support/outcome.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

int report(int status, char *error, const char *what) noexcept
{
    if (error != nullptr)
        *std::copy_n(what, std::min<std::size_t>(std::strlen(what), POLYMASK_ERROR_SIZE - 1),
                     error) = '\0';
    return status;
}

int report_exception(char *error) noexcept
{
    try {
        throw;
    } catch (const TooSmall &small) {
        return report(POLYMASK_TOO_SMALL, error, small.what());
    } catch (...) {
        static_assert(POLYMASK_INVALID == static_cast<int>(Status::invalid));
        static_assert(POLYMASK_UNAVAILABLE == static_cast<int>(Status::unavailable));
        static_assert(POLYMASK_OUT_OF_MEMORY == static_cast<int>(Status::out_of_memory));
        static_assert(POLYMASK_INTERRUPTED == static_cast<int>(Status::interrupted));
        static_assert(POLYMASK_FAILED == static_cast<int>(Status::failed));
        const Outcome outcome = outcome_of_exception();
        return report(static_cast<int>(outcome.status), error, outcome.message);
    }
}

Polygon polygon_of(const double *vertices, std::size_t vertex_count,
                   const std::int64_t *ring_starts, std::size_t ring_count)
{
    return {span_of("vertices", vertices, vertex_count, 2),
            span_of("ring_starts", ring_starts, ring_count)};
}

Polygons polygons_of(const polymask_polygons *polygons)
{
    const polymask_polygons &p = at("polygons", polygons);
    return {span_of("vertices", p.vertices, p.vertex_count, 2),
            offsets_of("ring_offsets", p.ring_offsets, p.ring_count),
            offsets_of("polygon_offsets", p.polygon_offsets, p.polygon_count),
            offsets_of("feature_offsets", p.feature_offsets, p.feature_count)};
}

/* Returns the given options, from any version of the struct; options not for `user` must be 0. */
polymask_options options_of(const polymask_options *source, unsigned user)
{
    polymask_options options = {};
    static_assert(offsetof(polymask_options, joins_corners) + sizeof options.joins_corners ==
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

    constexpr unsigned outlines = of_mask_outlines | of_label_outlines,
                       images = of_masks | of_labels | of_fractions,
                       features = of_labels | of_runs | of_crops,
                       all_but_points = images | features | outlines;
    const struct {
        const char *name;
        std::int64_t value;
        unsigned users;
    } fields[] = {
        {"row_offset", options.row_offset, all_but_points},
        {"column_offset", options.column_offset, all_but_points},
        {"row_stride", options.row_stride, images | outlines},
        {"center", options.center, all_but_points},
        {"border", options.border, of_masks | of_points | features},
        {"watertight", options.watertight, of_masks | of_points | features},
        {"touched", options.touched, features},
        {"out_is_zero", options.out_is_zero, images | of_crops},
        {"threads", options.threads, of_masks | of_points | features},
        {"instruction_set", options.instruction_set, images | features},
        {"stores", options.stores, of_masks},
        {"on_top", options.on_top, of_labels},
        {"background", options.background, of_labels | of_label_outlines},
        {"keeps_background", options.keeps_background, of_labels},
        {"adds", options.adds, of_labels},
        {"subpixels", options.subpixels, of_fractions},
        {"joins_corners", options.joins_corners, outlines},
    };
    for (const auto &field : fields)
        if (field.value != 0 && (field.users & user) == 0)
            refuse(std::string(field.name) + ": this function has no such option");
    return options;
}

namespace
{

void check_one_of(const char *name, std::int32_t value, std::int32_t last)
{
    if (value < 0 || value > last)
        refuse(std::string(name) + ": " + std::to_string(value) + " is not in polymask_" + name);
}

/* Converts a number to the C++ enumerator of the same value. */
template <class Enum> Enum one_of(const char *name, std::int32_t value, Enum last)
{
    check_one_of(name, value, static_cast<std::int32_t>(last));
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

} // namespace

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

Selection selection_of(const polymask_options &options)
{
    static_assert(POLYMASK_TOUCHED_CLOSED == 1 + static_cast<int>(Squares::closed));
    static_assert(POLYMASK_TOUCHED_OPEN == 1 + static_cast<int>(Squares::open));
    check_one_of("touched", options.touched, POLYMASK_TOUCHED_OPEN);
    if (options.touched == POLYMASK_TOUCHED_NONE)
        return rule_of(options);
    if (options.border != POLYMASK_BORDER_INSIDE || options.watertight != 0)
        refuse("touched: the squares that a polygon touches have neither border nor watertight");
    return static_cast<Squares>(options.touched - 1);
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

} // namespace polymask::inline POLYMASK_ABI::detail
