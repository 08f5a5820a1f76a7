#include "polymask/summaries.hpp"

#include "kernels/kernels.hpp"
#include "many/coverage_scanner.hpp"
#include "many/features.hpp"
#include "many/value_sample.hpp"
#include "many/values.hpp"
#include "parallel/interrupt_poller.hpp"
#include "parallel/parallel_for.hpp"
#include "support/processor.hpp"

namespace polymask::inline POLYMASK_ABI
{

using namespace detail;

template <class T> struct Summaries<T>::Impl {
    Impl(const Polygons &the_polygons, const SummaryParts &the_parts,
         const Selection &the_selection, const Work &the_work)
        : polygons(the_polygons), parts(the_parts), selection(the_selection), work(the_work),
          kernels(choose_kernels(work.instruction_set))
    {
        detail::check(polygons, {}, selection, work);
        if (parts.weighted && selection != Selection())
            refuse("weighted: weights are areas, to which no rule and no squares apply");
        for (const double q : parts.quantiles)
            if (!(q >= 0 && q <= 1))
                refuse("quantiles: 0 to 1, got " + std::to_string(q));
        const auto features = static_cast<std::size_t>(polygons.features());
        all.resize(features);
        quantiles.resize(features * parts.quantiles.size(),
                         std::numeric_limits<double>::quiet_NaN());
        open.resize(features);
        if (parts.shares)
            shares.resize(features);
        keeps = parts.variance || parts.classes || parts.shares || parts.median ||
                !parts.quantiles.empty();
    }

    /* One per thread. */
    struct Worker {
        FeatureScanner scanner;
        CoverageScanner covers;
        ValueSample<T> sample; /* of features that lie in one window */
        InterruptPoller poller;
    };

    void gather(Worker &worker, ValueSample<T> &sample, std::int64_t feature,
                const Sampling &sampling, const Reader<T> &reader) const
    {
        if (parts.weighted) {
            worker.covers.scan(
                polygons, feature, sampling.window, work.instruction_set,
                [&](std::int64_t row, std::int64_t column, const float *weights,
                    std::int64_t width) {
                    reader.read(row, column, column + width,
                                [&](const T *pixels, std::int64_t count, auto is_value) {
                                    sample.add_weighted(pixels, weights, count, is_value, keeps);
                                });
                    worker.poller.count(width / pixels_of_a_step);
                });
            return;
        }
        worker.scanner.scan(
            polygons, feature, sampling, [&](std::int64_t row, const auto &boundaries) {
                for (std::size_t i = 0; i < boundaries.size(); i += 2) {
                    const auto start = boundaries[i], stop = boundaries[i + 1];
                    reader.read(row, start, stop,
                                [&](const T *pixels, std::int64_t count, auto is_value) {
                                    sample.add(pixels, count, is_value, keeps);
                                });
                    worker.poller.count((stop - start) / pixels_of_a_step);
                }
            });
    }

    void add(Worker &worker, std::int64_t feature, bool is_last, const Sampling &sampling,
             const Reader<T> &reader)
    {
        const auto place = static_cast<std::size_t>(feature);
        if (!is_last && !open[place])
            open[place] = std::make_unique<ValueSample<T>>();
        ValueSample<T> &sample = open[place] ? *open[place] : worker.sample;
        if (!open[place])
            sample.clear();
        gather(worker, sample, feature, sampling, reader);
        if (!is_last)
            return;
        sample.summarize(parts, all[place], quantiles.data() + place * parts.quantiles.size());
        if (parts.shares)
            shares[place] = sample.shares();
        open[place].reset();
    }

    const Polygons polygons;
    const SummaryParts parts;
    const Selection selection;
    const Work work;
    const Kernels &kernels;
    bool keeps; /* whether values stay in memory until the last window */
    std::vector<Summary<T>> all;
    std::vector<double> quantiles;
    std::vector<std::vector<Share<T>>> shares;
    std::vector<std::unique_ptr<ValueSample<T>>> open; /* of features with more windows to come */
};

template <class T>
Summaries<T>::Summaries(const Polygons &polygons, const SummaryParts &parts,
                        const Selection &selection, const Work &work)
    : impl_(std::make_unique<Impl>(polygons, parts, selection, work))
{
}

template <class T> Summaries<T>::~Summaries() = default;

template <class T>
void Summaries<T>::add(const Grid &grid, const Values<T> &values,
                       std::span<const std::int64_t> features,
                       std::span<const std::uint8_t> is_last)
{
    const ScopedRounding rounding;
    Impl &impl = *impl_;
    const auto [rows, cols] = grid.shape;
    check_grid(grid);
    check_selection(impl.selection, grid);
    if (impl.parts.weighted)
        check_near(grid);
    check_size("values", values.pixels.size(), rows * cols, "pixels");
    if (!values.missing.empty())
        check_size("missing", values.missing.size(), rows * cols, "pixels");
    check_size("is_last", is_last.size(), static_cast<std::int64_t>(features.size()), "elements");
    for (const std::int64_t feature : features)
        if (feature < 0 || feature >= impl.polygons.features())
            refuse("features: there is no feature " + std::to_string(feature));
    const Sampling sampling(grid, impl.selection);
    const int threads = threads_for(impl.polygons, impl.work);
    const Chunks chunks(static_cast<std::int64_t>(features.size()), threads);
    const Reader<T> reader(values, cols);
    parallel_for({threads, impl.work.executor}, chunks.count(), [&] {
        return [&, worker = typename Impl::Worker{FeatureScanner(impl.kernels), {}, {}, {}}](
                   std::int64_t index) mutable {
            const auto [first, end] = chunks[index];
            for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(end); ++i)
                impl.add(worker, features[i], is_last[i] != 0, sampling, reader);
        };
    });
}

template <class T> std::span<const Summary<T>> Summaries<T>::all() const noexcept
{
    return impl_->all;
}

template <class T> std::span<const double> Summaries<T>::quantiles() const noexcept
{
    return impl_->quantiles;
}

template <class T>
std::span<const Share<T>> Summaries<T>::shares(std::int64_t feature) const noexcept
{
    const auto place = static_cast<std::size_t>(feature);
    return place < impl_->shares.size() ? impl_->shares[place] : std::span<const Share<T>>();
}

template class Summaries<std::uint8_t>;
template class Summaries<std::int8_t>;
template class Summaries<std::uint16_t>;
template class Summaries<std::int16_t>;
template class Summaries<std::uint32_t>;
template class Summaries<std::int32_t>;
template class Summaries<std::uint64_t>;
template class Summaries<std::int64_t>;
template class Summaries<float>;
template class Summaries<double>;

} // namespace polymask::inline POLYMASK_ABI
