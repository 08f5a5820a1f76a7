#include "polymask/labels.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "kernels/kernels.hpp"
#include "many/features.hpp"
#include "many/label_tiles.hpp"
#include "parallel/parallel_for.hpp"
#include "support/checks.hpp"
#include "support/environment.hpp"
#include "support/processor.hpp"

namespace polymask::inline POLYMASK_ABI
{

namespace
{

using namespace detail;

/* Returns the number of threads: features and vertices take fractions of a microsecond each. */
int painting_threads_for(const Polygons &polygons, const Work &work) noexcept
{
    return choose_threads(work.threads, static_cast<double>(polygons.vertices.size()) * 0.015 +
                                            static_cast<double>(polygons.features()) * 0.1);
}

/* Fills short runs by 16 bytes at a time, of which the last may overlap the previous ones. */
template <class T> inline void fill_run(T *out, std::int64_t count, T label) noexcept
{
    constexpr std::int64_t in_block = 16 / sizeof(T);
    if (count < in_block) {
        for (std::int64_t i = 0; i < count; ++i)
            out[i] = label;
    } else if (count <= 8 * in_block) {
        T block[in_block];
        std::fill_n(block, in_block, label);
        for (std::int64_t i = 0; i + in_block <= count; i += in_block)
            std::memcpy(out + i, block, sizeof block);
        std::memcpy(out + count - in_block, block, sizeof block);
    } else {
        std::fill_n(out, count, label);
    }
}

template <bool adds, class T> inline void paint_run(T *out, std::int64_t count, T label) noexcept
{
    if constexpr (adds) {
        for (std::int64_t i = 0; i < count; ++i)
            out[i] = static_cast<T>(out[i] + label);
    } else {
        fill_run(out, count, label);
    }
}

/* Integers are painted and added as unsigned integers with the same bits. */
template <class T, bool = std::is_integral_v<T>> struct BitsOf {
    using Type = std::make_unsigned_t<T>;
};
template <class T> struct BitsOf<T, false> {
    using Type = T;
};

template <class T> void check_labels(std::span<const T> labels, std::int64_t features)
{
    if (!labels.empty()) {
        check_size("labels", labels.size(), features, "numbers");
    } else if constexpr (!std::is_integral_v<T>) {
        if (features > 0)
            refuse("labels: expected one per feature, as they are not integers");
    } else if (std::cmp_greater(features, std::numeric_limits<T>::max())) {
        refuse("labels: " + std::to_string(features) + ", the last feature's, does not fit in " +
               std::to_string(8 * sizeof(T)) + " bits");
    }
}

} // namespace

struct LabelPainter::State {
    State(const Polygons &painted, const Grid &grid, OnTop on_top, const Selection &selection,
          const Output &the_output, const Work &work)
        : polygons(painted), shape(grid.shape), output(the_output),
          pitch(output.row_stride != 0 ? output.row_stride : shape.cols),
          kernels(choose_kernels(work.instruction_set)), sampling(grid, selection),
          threads(painting_threads_for(polygons, work)), executor(work.executor),
          tiles(polygons, sampling, on_top, threads)
    {
        FeatureScanner scanner(kernels);
        for (const std::uint32_t feature : tiles.large())
            stored.add(scanner, polygons, feature, sampling);
    }

    /* Prefetch data that is needed soon, and the offsets needed to find it: the features of a tile
     * are scattered in memory. */
    void prefetch_offsets(std::uint32_t feature) const noexcept
    {
        const auto &offsets = !polygons.feature_offsets.empty()   ? polygons.feature_offsets
                              : !polygons.polygon_offsets.empty() ? polygons.polygon_offsets
                                                                  : polygons.ring_offsets;
        prefetch_to_read(offsets.data() + feature);
    }
    void prefetch_vertices(std::uint32_t feature) const noexcept
    {
        const auto [first, end] = polygons.polygons_of(feature);
        if (first == end)
            return;
        const auto [first_ring, end_ring] = polygons.rings_of(first);
        if (first_ring == end_ring)
            return;
        const double *v = polygons.vertices.data() + 2 * polygons.vertices_of(first_ring).first;
        for (int line = 0; line < 3; ++line)
            prefetch_to_read(v + 8 * line);
    }

    template <bool adds, class T>
    void paint_tile(FeatureScanner &scanner, std::int64_t tile, const T *labels, T background,
                    bool writes_background, T *out) const
    {
        const Box box = tiles.box(tile);
        T *const corner = out + box.top * pitch + box.left;
        if (writes_background)
            for (std::int64_t row = 0; row < box.rows(); ++row)
                std::fill_n(corner + row * pitch, box.cols(), background);
        const Sampling part(sampling, box);
        const auto features = tiles.features(tile);
        constexpr std::size_t ahead = 8;
        for (std::size_t i = 0; i < features.size(); ++i) {
            if (i + 2 * ahead < features.size())
                prefetch_offsets(features[i + 2 * ahead]);
            if (i + ahead < features.size())
                prefetch_vertices(features[i + ahead]);
            const std::uint32_t feature = features[i];
            const T label = labels != nullptr ? labels[feature] : static_cast<T>(feature + 1);
            if (stored.has(feature)) {
                stored.for_runs(
                    feature, box, [&](std::int64_t row, std::int64_t start, std::int64_t stop) {
                        paint_run<adds>(corner + row * pitch + start, stop - start, label);
                    });
                continue;
            }
            scanner.scan(polygons, feature, part, [&](std::int64_t row, const auto &boundaries) {
                T *const line = corner + row * pitch;
                for (std::size_t k = 0; k < boundaries.size(); k += 2)
                    paint_run<adds>(line + boundaries[k],
                                    std::int64_t{boundaries[k + 1]} - boundaries[k], label);
            });
        }
    }

    Polygons polygons;
    Shape shape;
    Output output;
    std::int64_t pitch;
    const Kernels &kernels;
    Sampling sampling;
    int threads;
    Executor executor;
    LabelTiles tiles;
    StoredRuns stored;
};

LabelPainter::LabelPainter(const Polygons &polygons, const Grid &grid, OnTop on_top,
                           const Selection &selection, const Output &output, const Work &work)
{
    const ScopedRounding rounding;
    check(polygons, grid, selection, work);
    check_enum("on_top", on_top, OnTop::smallest);
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    if (polygons.features() > most)
        refuse("features: at most " + std::to_string(most) + ", got " +
               std::to_string(polygons.features()));
    state_ = std::make_unique<State>(polygons, grid, on_top, selection, output, work);
}

LabelPainter::LabelPainter(LabelPainter &&) noexcept = default;
LabelPainter &LabelPainter::operator=(LabelPainter &&) noexcept = default;
LabelPainter::~LabelPainter() = default;

std::int64_t LabelPainter::tiles() const noexcept
{
    return state_->tiles.count();
}

template <class T>
void LabelPainter::paint(const Labels<T> &labels, std::span<T> out, std::int64_t first,
                         std::int64_t end) const
{
    const ScopedRounding rounding;
    const State &state = *state_;
    check_labels(labels.of_features, state.polygons.features());
    check_out(out.size(), state.shape.rows, state.shape.cols, state.output.row_stride, "labels");
    if (first < 0 || end > tiles() || first > end)
        refuse("tiles: " + std::to_string(first) + " to " + std::to_string(end) + " of " +
               std::to_string(tiles()));
    using Bits = typename BitsOf<T>::Type;
    const bool writes_background =
        !labels.keeps_background && !(state.output.out_is_zero && labels.background == 0);
    parallel_for({state.threads, state.executor}, end - first, [&] {
        return [&, scanner = FeatureScanner(state.kernels)](std::int64_t index) mutable {
            const auto paint = [&](auto adds) {
                state.paint_tile<adds.value>(
                    scanner, first + index,
                    reinterpret_cast<const Bits *>(labels.of_features.data()),
                    static_cast<Bits>(labels.background), writes_background,
                    reinterpret_cast<Bits *>(out.data()));
            };
            labels.adds ? paint(std::true_type()) : paint(std::false_type());
        };
    });
}

#define POLYMASK_LABELS(T)                                                                         \
    template void LabelPainter::paint(const Labels<T> &, std::span<T>, std::int64_t, std::int64_t) \
        const;
POLYMASK_LABELS(std::int8_t)
POLYMASK_LABELS(std::int16_t)
POLYMASK_LABELS(std::int32_t)
POLYMASK_LABELS(std::int64_t)
POLYMASK_LABELS(std::uint8_t)
POLYMASK_LABELS(std::uint16_t)
POLYMASK_LABELS(std::uint32_t)
POLYMASK_LABELS(std::uint64_t)
POLYMASK_LABELS(float)
POLYMASK_LABELS(double)
#undef POLYMASK_LABELS

} // namespace polymask::inline POLYMASK_ABI
