/* Reading the values of an image along runs, and their count, sum, minimum and maximum. */
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "polymask/statistics.hpp"

namespace polymask::detail
{

/* For pixels that all have a value. */
struct EachIsValue {
    constexpr bool operator()(std::int64_t) const noexcept { return true; }
};

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
        if constexpr (std::is_same_v<IsValue, EachIsValue>) {
            add_all(values, count);
            return;
        }
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

    /* Adds integers, in any order, with sums in 32 bits where they fit. */
    void add_all(const T *values, std::int64_t count) noexcept
    {
        constexpr std::int64_t at_once = std::int64_t{1} << 16;
        using Short = std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>;
        using Sum = std::conditional_t<sizeof(T) <= 2, Short, Term>;
        count_[0] += count;
        T low = low_[0], high = high_[0];
        for (std::int64_t first = 0; first < count; first += at_once) {
            Sum sum = 0;
            for (std::int64_t i = first; i < std::min(first + at_once, count); ++i) {
                sum += static_cast<Sum>(values[i]);
                low = std::min(low, values[i]);
                high = std::max(high, values[i]);
            }
            sum_[0] += static_cast<Term>(sum);
        }
        low_[0] = low;
        high_[0] = high;
    }

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

    /* Calls take(pixels, count, is_value) for columns start .. stop - 1 of a row: is_value(i) tells
     * whether pixels[i] has a value. */
    template <class Take>
    void read(std::int64_t row, std::int64_t start, std::int64_t stop, Take &&take) const
    {
        const std::int64_t place = row * cols_ + start, count = stop - start;
        const T *pixels = values_.pixels.data() + place;
        const auto is_number = [&] {
            if constexpr (std::is_floating_point_v<T>)
                return [pixels](std::int64_t i) { return pixels[i] == pixels[i]; };
            else
                return EachIsValue();
        }();
        if (values_.missing.empty() && !values_.nodata) {
            take(pixels, count, is_number);
            return;
        }
        const std::uint8_t *missing =
            values_.missing.empty() ? nullptr : values_.missing.data() + place;
        take(pixels, count, [&](std::int64_t i) {
            return is_number(i) && !(missing && missing[i]) &&
                   !(values_.nodata && pixels[i] == *values_.nodata);
        });
    }

  private:
    const Values<T> &values_;
    std::int64_t cols_;
};

} // namespace polymask::detail
