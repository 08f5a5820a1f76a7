#include "polymask/statistics.hpp"

#include "kernels/kernels.hpp"
#include "many/features.hpp"
#include "many/values.hpp"
#include "parallel/interrupt_poller.hpp"
#include "parallel/parallel_for.hpp"
#include "support/processor.hpp"

namespace polymask::inline POLYMASK_ABI
{

using namespace detail;

template <class T>
void statistics(const Polygons &polygons, const Grid &grid, const Values<T> &values,
                std::span<Statistics<T>> out, const Selection &selection, const Work &work)
{
    const ScopedRounding rounding;
    check(polygons, grid, selection, work);
    const auto [rows, cols] = grid.shape;
    check_size("values", values.pixels.size(), rows * cols, "pixels");
    if (!values.missing.empty())
        check_size("missing", values.missing.size(), rows * cols, "pixels");
    check_size("out", out.size(), polygons.features(), "elements");
    const Kernels &kernels = choose_kernels(work.instruction_set);
    const Sampling sampling(grid, selection);
    const int threads = threads_for(polygons, work);
    const Chunks chunks(polygons.features(), threads);
    const Reader<T> reader(values, cols);
    parallel_for({threads, work.executor}, chunks.count(), [&] {
        return [&, scanner = FeatureScanner(kernels),
                poller = InterruptPoller()](std::int64_t index) mutable {
            const auto [first, end] = chunks[index];
            for (std::int64_t feature = first; feature < end; ++feature) {
                Lanes<T> lanes;
                scanner.scan(
                    polygons, feature, sampling, [&](std::int64_t row, const auto &boundaries) {
                        for (std::size_t i = 0; i < boundaries.size(); i += 2) {
                            const auto start = boundaries[i], stop = boundaries[i + 1];
                            reader.read(row, start, stop,
                                        [&](const T *pixels, std::int64_t count, auto is_value) {
                                            lanes.add(pixels, count, is_value);
                                        });
                            poller.count((stop - start) / pixels_of_a_step);
                        }
                    });
                out[static_cast<std::size_t>(feature)] = lanes.total();
            }
        };
    });
}

#define POLYMASK_STATISTICS_OF(T)                                                                  \
    template void statistics(const Polygons &, const Grid &, const Values<T> &,                    \
                             std::span<Statistics<T>>, const Selection &, const Work &);
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

} // namespace polymask::inline POLYMASK_ABI
