#include "polymask/statistics.hpp"

#include <array>
#include <limits>

#include "kernels/kernels.hpp"
#include "many/features.hpp"
#include "parallel/interrupt_poller.hpp"
#include "parallel/parallel_for.hpp"
#include "support/processor.hpp"

namespace polymask
{

namespace
{

using namespace detail;

/* The statistics of a feature's values so far, distributed to several lanes, whose additions do not
 * depend on each other and can be vectorized. */
template <class T> class Lanes
{
  public:
    Lanes() noexcept
    {
        low_.fill(std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                       : std::numeric_limits<T>::max());
        high_.fill(std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                        : std::numeric_limits<T>::lowest());
    }

    /* Adds values[0 .. count - 1] where is_value(i). */
    template <class IsValue>
    void add(const T *values, std::int64_t count, IsValue is_value) noexcept
    {
        std::int64_t i = 0;
        for (; i + lanes <= count; i += lanes)
            for (std::int64_t lane = 0; lane < lanes; ++lane)
                add_one(values[i + lane], is_value(i + lane), static_cast<std::size_t>(lane));
        for (std::int64_t lane = 0; i + lane < count; ++lane)
            add_one(values[i + lane], is_value(i + lane), static_cast<std::size_t>(lane));
    }

    Statistics<T> total() noexcept
    {
        for (std::size_t half = lanes / 2; half > 0; half /= 2) {
            for (std::size_t lane = 0; lane < half; ++lane) {
                count_[lane] += count_[lane + half];
                sum_[lane] += sum_[lane + half];
                low_[lane] = std::min(low_[lane], low_[lane + half]);
                high_[lane] = std::max(high_[lane], high_[lane + half]);
            }
        }
        if (count_[0] == 0)
            return {};
        return {count_[0], static_cast<typename Statistics<T>::Sum>(sum_[0]), low_[0], high_[0]};
    }

  private:
    static constexpr std::int64_t lanes = 8;
    template <class Element> using Each = std::array<Element, static_cast<std::size_t>(lanes)>;

    void add_one(T value, bool is_value, std::size_t lane) noexcept
    {
        count_[lane] += is_value;
        sum_[lane] += is_value ? static_cast<Term>(value) : Term{0};
        low_[lane] = is_value && value < low_[lane] ? value : low_[lane];
        high_[lane] = is_value && value > high_[lane] ? value : high_[lane];
    }

    /* Signed sums also wrap. */
    using Term = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;
    Each<std::int64_t> count_ = {};
    Each<Term> sum_ = {};
    Each<T> low_, high_;
};

template <class T> class Reader
{
  public:
    Reader(const Values<T> &values, std::int64_t cols) noexcept : values_(values), cols_(cols) {}

    void read(std::int64_t row, std::int64_t start, std::int64_t stop, Lanes<T> &lanes) const
    {
        const std::int64_t place = row * cols_ + start, count = stop - start;
        const T *pixels = values_.pixels.data() + place;
        const auto is_number = [&](std::int64_t i) {
            if constexpr (std::is_floating_point_v<T>)
                return pixels[i] == pixels[i];
            else
                return true;
        };
        if (values_.missing.empty() && !values_.nodata) {
            lanes.add(pixels, count, is_number);
            return;
        }
        const std::uint8_t *missing =
            values_.missing.empty() ? nullptr : values_.missing.data() + place;
        lanes.add(pixels, count, [&](std::int64_t i) {
            return is_number(i) && !(missing && missing[i]) &&
                   !(values_.nodata && pixels[i] == *values_.nodata);
        });
    }

  private:
    const Values<T> &values_;
    std::int64_t cols_;
};

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
    parallel_for(threads, chunks.count(), [&] {
        return [&, scanner = FeatureScanner(kernels),
                poller = InterruptPoller()](std::int64_t index) mutable {
            const auto [first, end] = chunks[index];
            for (std::int64_t feature = first; feature < end; ++feature) {
                Lanes<T> lanes;
                scanner.scan(polygons, feature, sampling,
                             [&](std::int64_t row, const auto &boundaries) {
                                 for (std::size_t i = 0; i < boundaries.size(); i += 2) {
                                     const auto start = boundaries[i], stop = boundaries[i + 1];
                                     reader.read(row, start, stop, lanes);
                                     poller.count((stop - start) / pixels_of_a_step);
                                 }
                             });
                out[static_cast<std::size_t>(feature)] = lanes.total();
            }
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
