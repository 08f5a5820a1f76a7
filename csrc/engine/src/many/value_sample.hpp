/* The values of a feature, gathered, and their order: moments, quantiles and distinct values. */
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "many/values.hpp"
#include "parallel/interrupt_poller.hpp"
#include "polymask/summaries.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

/* Returns the weighted sums of the deviations from `mean` and of their squares. Several lanes keep
 * the rounding errors of long sums small. */
template <class T> struct Deviations {
    double first = 0, second = 0;

    template <class Weight>
    Deviations(const std::vector<T> &values, double mean, Weight weight) noexcept
    {
        constexpr std::size_t lanes = 8;
        std::array<double, lanes> sums = {}, squares = {};
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double deviation = static_cast<double>(values[i]) - mean;
            sums[i % lanes] += weight(i) * deviation;
            squares[i % lanes] += weight(i) * deviation * deviation;
        }
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            first += sums[lane];
            second += squares[lane];
        }
    }
    double variance(double weight) const noexcept
    {
        const double result = (second - first * first / weight) / weight;
        return result < 0 ? 0 : result;
    }
};

/* Values with equal weights, or with a weight each. */
template <class T> class ValueSample
{
  public:
    void clear() noexcept
    {
        lanes_ = {};
        values_.clear();
        weights_.clear();
        shares_.clear();
        weight_ = sum_ = 0;
        is_sorted_ = false;
    }

    template <class IsValue>
    void add(const T *pixels, std::int64_t count, IsValue is_value, bool keeps)
    {
        lanes_.add(pixels, count, is_value);
        if (!keeps)
            return;
        std::size_t size = values_.size();
        values_.resize(size + static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i) {
            values_[size] = pixels[i];
            size += is_value(i);
        }
        values_.resize(size);
    }

    template <class IsValue>
    void add_weighted(const T *pixels, const float *weights, std::int64_t count, IsValue is_value,
                      bool keeps)
    {
        const auto counts = [&](std::int64_t i) { return is_value(i) && weights[i] > 0; };
        lanes_.add(pixels, count, counts);
        for (std::int64_t i = 0; i < count; ++i) {
            if (!counts(i))
                continue;
            const double weight = static_cast<double>(weights[i]);
            weight_ += weight;
            sum_ += weight * static_cast<double>(pixels[i]);
            if (keeps) {
                values_.push_back(pixels[i]);
                weights_.push_back(weights[i]);
            }
        }
    }

    /* Writes the summary and the quantiles; sorts the values. */
    void summarize(const SummaryParts &parts, Summary<T> &out, double *quantiles)
    {
        out.pixels = lanes_.total();
        out.weight = weight_;
        out.sum = sum_;
        if (values_.empty())
            return;
        if (parts.variance)
            out.variance = variance(out.pixels);
        const bool has_quantiles = parts.median || !parts.quantiles.empty();
        if (parts.classes || parts.shares || (parts.weighted && has_quantiles))
            classify(parts.weighted, out);
        if (parts.median)
            out.median = parts.weighted ? weighted_quantile(0.5) : median();
        for (const double q : parts.quantiles)
            *quantiles++ = parts.weighted ? weighted_quantile(q) : quantile(q);
    }

    const std::vector<Share<T>> &shares() const noexcept { return shares_; }

  private:
    double variance(const Statistics<T> &pixels) const noexcept
    {
        if (!weights_.empty()) {
            const auto weight = [&](std::size_t i) { return static_cast<double>(weights_[i]); };
            return Deviations<T>(values_, sum_ / weight_, weight).variance(weight_);
        }
        /* A sum of integers may have wrapped, so it is added again. */
        const auto one = [](std::size_t) { return 1.0; };
        const auto count = static_cast<double>(pixels.count);
        const double low = static_cast<double>(pixels.min);
        const double mean = low + Deviations<T>(values_, low, one).first / count;
        return Deviations<T>(values_, mean, one).variance(count);
    }

    /* Lists the distinct values and their weights, and finds the most and the least frequent. */
    void classify(bool weighted, Summary<T> &out)
    {
        if (weighted) {
            for (std::size_t i = 0; i < values_.size(); ++i)
                shares_.push_back({values_[i], static_cast<double>(weights_[i])});
            sort_interruptible(shares_.begin(), shares_.end(), [](const auto &a, const auto &b) {
                return a.value < b.value || (a.value == b.value && a.weight < b.weight);
            });
        } else {
            sort();
            for (const T value : values_)
                if (shares_.empty() || shares_.back().value != value)
                    shares_.push_back({value, 1});
                else
                    ++shares_.back().weight;
        }
        if (weighted)
            merge();
        out.variety = static_cast<std::int64_t>(shares_.size());
        const auto less = [](const auto &a, const auto &b) { return a.weight < b.weight; };
        out.minority = std::min_element(shares_.begin(), shares_.end(), less)->value;
        out.majority = std::max_element(shares_.rbegin(), shares_.rend(), less)->value;
    }

    /* Adds the weights of equal values, which follow each other. */
    void merge() noexcept
    {
        std::size_t last = 0;
        for (std::size_t i = 1; i < shares_.size(); ++i)
            if (shares_[i].value == shares_[last].value)
                shares_[last].weight += shares_[i].weight;
            else
                shares_[++last] = shares_[i];
        shares_.resize(last + 1);
    }

    void sort()
    {
        if (!is_sorted_)
            sort_interruptible(values_.begin(), values_.end(), std::less<T>());
        is_sorted_ = true;
    }

    double value(std::size_t place) const noexcept { return static_cast<double>(values_[place]); }

    double median()
    {
        sort();
        const std::size_t high = values_.size() / 2;
        return values_.size() % 2 == 1 ? value(high) : (value(high - 1) + value(high)) / 2;
    }

    /* Interpolates from the nearer neighbour, as numpy.percentile does, to give equal bits. */
    double quantile(double q)
    {
        sort();
        const double place = static_cast<double>(values_.size() - 1) * q;
        const auto low = static_cast<std::size_t>(place);
        const double t = place - static_cast<double>(low), a = value(low);
        const double b = value(std::min(low + 1, values_.size() - 1));
        if (t == 0 || a == b)
            return a;
        return t < 0.5 ? a + (b - a) * t : b - (b - a) * (1 - t);
    }

    /* Between distinct values, by their positions (summaries.hpp). */
    double weighted_quantile(double q) const noexcept
    {
        const auto last = static_cast<double>(shares_.size() - 1);
        double total = 0;
        for (const Share<T> &share : shares_)
            total += share.weight;
        const double wanted = q * (total * last);
        double before = 0, left = 0, left_value = static_cast<double>(shares_[0].value);
        for (std::size_t i = 0; i < shares_.size(); ++i) {
            const double right = static_cast<double>(i) * shares_[i].weight + last * before;
            const double right_value = static_cast<double>(shares_[i].value);
            if (right > wanted)
                return left_value + (wanted - left) * (right_value - left_value) / (right - left);
            before += shares_[i].weight;
            left = right;
            left_value = right_value;
        }
        return left_value;
    }

    Lanes<T> lanes_;
    std::vector<T> values_;
    std::vector<float> weights_;
    std::vector<Share<T>> shares_;
    double weight_ = 0, sum_ = 0;
    bool is_sorted_ = false;
};

} // namespace polymask::inline POLYMASK_ABI::detail
