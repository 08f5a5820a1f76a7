#include "polymask/labels.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "kernels/kernels.hpp"
#include "many/features.hpp"
#include "many/label_tiles.hpp"
#include "many/near_rings.hpp"
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

/* Fills the runs of a feature, in an image of integers. */
template <class T> class RunPainter
{
  public:
    RunPainter(const Kernels &kernels, T *corner, std::int64_t pitch, T label) noexcept
        : kernels_(kernels), corner_(corner), pitch_(pitch), bits_(repeated(label))
    {
    }
    /* The boundaries of a row. */
    void operator()(std::int64_t row, Boundaries boundaries) const noexcept
    {
        const auto runs = static_cast<std::int64_t>(boundaries.size() / 2);
        paint(row, 0, {nullptr, 0, boundaries.data(), boundaries.data() + 1, 2, runs});
    }
    void operator()(std::int64_t row, std::span<const std::int64_t> boundaries) const noexcept
    {
        for (std::size_t i = 0; i < boundaries.size(); i += 2)
            run(row, boundaries[i], boundaries[i + 1]);
    }
    void run(std::int64_t row, std::int64_t start, std::int64_t stop) const noexcept
    {
        for (constexpr std::int64_t most = std::int64_t{1} << 30; start < stop; start += most) {
            const Column from = 0, to = static_cast<Column>(std::min(stop - start, most));
            paint(row, start, {nullptr, 0, &from, &to, 1, 1});
        }
    }
    void chains(std::int64_t row, const Column *one, const Column *other,
                std::size_t rows) const noexcept
    {
        const auto pitch = static_cast<std::int64_t>(sizeof(T)) * pitch_;
        paint(row, 0, {nullptr, pitch, one, other, 1, static_cast<std::int64_t>(rows)});
    }

  private:
    static std::uint64_t repeated(T label) noexcept
    {
        T labels[sizeof(std::uint64_t) / sizeof(T)];
        std::fill(std::begin(labels), std::end(labels), label);
        return std::bit_cast<std::uint64_t>(labels);
    }
    void paint(std::int64_t row, std::int64_t column, PaintedRuns runs) const noexcept
    {
        runs.line = reinterpret_cast<std::uint8_t *>(corner_ + row * pitch_ + column);
        kernels_.paint(runs, bits_, sizeof(T));
    }

    const Kernels &kernels_;
    T *corner_;
    std::int64_t pitch_;
    std::uint64_t bits_;
};

/* Adds a label to the pixels of a feature. */
template <class T> class RunAdder
{
  public:
    RunAdder(const Kernels &, T *corner, std::int64_t pitch, T label) noexcept
        : corner_(corner), pitch_(pitch), label_(label)
    {
    }
    void operator()(std::int64_t row, const auto &boundaries) const noexcept
    {
        for (std::size_t i = 0; i < boundaries.size(); i += 2)
            run(row, boundaries[i], boundaries[i + 1]);
    }
    void run(std::int64_t row, std::int64_t start, std::int64_t stop) const noexcept
    {
        T *const line = corner_ + row * pitch_;
        for (std::int64_t i = start; i < stop; ++i)
            line[i] = static_cast<T>(line[i] + label_);
    }

  private:
    T *corner_;
    std::int64_t pitch_;
    T label_;
};

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
          tiles(polygons, sampling, on_top, {threads, executor})
    {
        FeatureScanner scanner(kernels);
        for (const std::uint32_t feature : tiles.large())
            stored.add(scanner, polygons, feature, sampling);
    }

    template <template <class> class Brush, class T>
    void paint_tile(FeatureScanner &scanner, NearRings &near, std::int64_t tile, const T *labels,
                    T background, bool writes_background, T *out) const
    {
        const Box box = tiles.box(tile);
        T *const corner = out + box.top * pitch + box.left;
        if (writes_background)
            for (std::int64_t row = 0; row < box.rows(); ++row)
                std::fill_n(corner + row * pitch, box.cols(), background);
        const Sampling part(sampling, box);
        near.visit(polygons, tiles.features(tile),
                   [&](std::uint32_t feature, const Polygons &copy, std::int64_t in_copy) {
                       const T label =
                           labels != nullptr ? labels[feature] : static_cast<T>(feature + 1);
                       const Brush<T> brush(kernels, corner, pitch, label);
                       if (stored.has(feature))
                           stored.for_runs(feature, box,
                                           [&](std::int64_t row, std::int64_t start,
                                               std::int64_t stop) { brush.run(row, start, stop); });
                       else
                           scanner.scan(copy, in_copy, part, brush);
                   });
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
    if (output.dirty != nullptr)
        refuse("dirty: not for images of labels, which are written whole");
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
        return [&, scanner = FeatureScanner(state.kernels),
                near = NearRings()](std::int64_t index) mutable {
            const auto paint = labels.adds ? &State::paint_tile<RunAdder, Bits>
                                           : &State::paint_tile<RunPainter, Bits>;
            (state.*paint)(scanner, near, first + index,
                           reinterpret_cast<const Bits *>(labels.of_features.data()),
                           static_cast<Bits>(labels.background), writes_background,
                           reinterpret_cast<Bits *>(out.data()));
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
