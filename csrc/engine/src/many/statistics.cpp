#include "polymask/statistics.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/formula.hpp"
#include "kernels/kernels.hpp"
#include "many/features.hpp"
#include "many/near_rings.hpp"
#include "many/values.hpp"
#include "parallel/interrupt_poller.hpp"
#include "parallel/parallel_for.hpp"
#include "support/counting_sort.hpp"
#include "support/processor.hpp"

namespace polymask
{

using namespace detail;

namespace
{

/* Returns the features in an order in which neighbours in the image follow each other, by the tile
 * of the first vertex: in another order, hardly any pixel of a large image is in a cache when it is
 * read. Throws std::bad_alloc, and Interrupted. */
Array<std::int64_t> order_by_tiles(const Polygons &polygons, const Sampling &sampling,
                                   std::int64_t pixel_bytes)
{
    constexpr std::int64_t most_tiles = 1 << 16, most_features = 0xffffffff;
    constexpr std::int64_t in_caches = std::int64_t{1} << 22; /* bytes */
    const Window &window = sampling.window;
    const std::int64_t rows = window.rows, cols = window.cols;
    const auto count = static_cast<std::size_t>(polygons.features());
    auto features = uninitialized<std::int64_t>(count);
    std::iota(features.get(), features.get() + count, std::int64_t{0});
    if (rows == 0 || cols <= in_caches / pixel_bytes / rows || sampling.is_far_out ||
        polygons.features() > most_features)
        return features;
    int row_shift = 8, column_shift = 10;
    const auto across = [&] { return (cols >> column_shift) + 1; };
    const auto tiles = [&] { return ((rows >> row_shift) + 1) * across(); };
    while (tiles() > most_tiles)
        ++row_shift, ++column_shift;
    const auto tile = [&](std::int64_t feature) -> std::int64_t {
        const Polygons::Range of = polygons.polygons_of(feature);
        const Polygons::Range rings = of.size() == 0 ? of : polygons.rings_of(of.first);
        if (rings.size() == 0)
            return 0;
        const double *v = polygons.vertices.data() + 2 * polygons.vertices_of(rings.first).first;
        const std::int64_t row = window.rows_up_to(finite(v[1])),
                           column = window.columns_up_to(finite(v[0]));
        return (row >> row_shift) * across() + (column >> column_shift);
    };
    /* The tile is stored, because another thread may change the vertices during the sort. */
    struct Placed {
        std::uint32_t feature, tile;
    };
    auto placed = uninitialized<Placed>(count);
    for_each_interruptible(std::size_t{0}, count, [&](std::size_t i) {
        placed[i] = {static_cast<std::uint32_t>(i),
                     static_cast<std::uint32_t>(tile(static_cast<std::int64_t>(i)))};
    });
    Array<std::uint32_t> starts;
    sort_by([](const Placed &p) { return p.tile; }, static_cast<std::size_t>(tiles()), placed,
            count, starts);
    for (std::size_t i = 0; i < count; ++i)
        features[i] = placed[i].feature;
    return features;
}

} // namespace

template <class T>
void statistics(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                const Values<T> &values, std::span<Statistics<T>> out, const Options &options)
{
    const ScopedRounding rounding;
    check(polygons, rows, cols, options);
    check_size("values", values.pixels.size(), rows * cols, "pixels");
    if (!values.missing.empty())
        check_size("missing", values.missing.size(), rows * cols, "pixels");
    check_size("out", out.size(), polygons.features(), "elements");
    const Kernels &kernels = choose_kernels(options.instruction_set);
    const Sampling sampling(rows, cols, options);
    const int threads = threads_for(polygons, options);
    const Chunks chunks(polygons.features(), threads);
    const Reader<T> reader(values, cols);
    const auto order = order_by_tiles(polygons, sampling, sizeof(T));
    parallel_for(threads, chunks.count(), [&] {
        return [&, scanner = FeatureScanner(kernels), near = NearRings(),
                poller = InterruptPoller()](std::int64_t index) mutable {
            const auto [first, end] = chunks[index];
            const std::span<const std::int64_t> in_chunk(order.get() + first, order.get() + end);
            near.visit(polygons, in_chunk,
                       [&](std::int64_t feature, const Polygons &copy, std::int64_t in_copy) {
                           Lanes<T> lanes;
                           scanner.scan(copy, in_copy, sampling,
                                        [&](std::int64_t row, const auto &boundaries) {
                                            for (std::size_t i = 0; i < boundaries.size(); i += 2) {
                                                const auto start = boundaries[i],
                                                           stop = boundaries[i + 1];
                                                reader.read(row, start, stop,
                                                            [&](const T *pixels, std::int64_t count,
                                                                auto is_value) {
                                                                lanes.add(pixels, count, is_value);
                                                            });
                                                poller.count((stop - start) / pixels_of_a_step);
                                            }
                                        });
                           out[static_cast<std::size_t>(feature)] = lanes.total();
                       });
        };
    });
}

#define POLYMASK_STATISTICS_OF(T)                                                                  \
    template void statistics(const Polygons &, std::int64_t, std::int64_t, const Values<T> &,      \
                             std::span<Statistics<T>>, const Options &);
POLYMASK_STATISTICS_OF(std::uint8_t)
POLYMASK_STATISTICS_OF(std::int8_t)
POLYMASK_STATISTICS_OF(std::uint16_t)
POLYMASK_STATISTICS_OF(std::int16_t)
POLYMASK_STATISTICS_OF(std::uint32_t)
POLYMASK_STATISTICS_OF(std::int32_t)
POLYMASK_STATISTICS_OF(std::uint64_t)
POLYMASK_STATISTICS_OF(std::int64_t)
POLYMASK_STATISTICS_OF(float)
POLYMASK_STATISTICS_OF(double)
#undef POLYMASK_STATISTICS_OF

} // namespace polymask
