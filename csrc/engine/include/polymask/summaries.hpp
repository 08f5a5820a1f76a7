/** @file summaries.hpp
 *  Zonal statistics that need all values of a polygon at once: median, quantiles, variance, and
 *  distinct values with their frequencies; on demand weighted by the covered fraction of each
 *  pixel.
 *
 *  An image may come in several windows, one after the other, so that it need not fit in memory.
 *  Conventions, exactness and errors are those of statistics.hpp. */
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "polymask/statistics.hpp"

namespace polymask::inline POLYMASK_ABI
{

/** What to compute in addition to Statistics. Each part but the weights keeps the values of a
 *  feature in memory, until its last window. */
struct SummaryParts {
    std::vector<double> quantiles = {}; /**< 0 to 1 */
    bool median = false;
    bool variance = false;
    bool classes = false; /**< variety, majority and minority */
    bool shares = false;  /**< also the list of the distinct values */
    /** Weight pixels by coverage() instead of selecting them; a Selection is then refused. */
    bool weighted = false;
};

/** A distinct value, and the number or the weight of the pixels that have it. */
template <class T> struct Share {
    T value;
    double weight;
};

/** A summary of the values within a feature. */
template <class T> struct Summary {
    /** Of the pixels, without weights. If weighted, pixels with a weight of 0 do not count. */
    Statistics<T> pixels = {};
    double weight = 0; /**< if weighted: the sum of the weights ... */
    double sum = 0;    /**< ... and of the products of weight and value */
    /** The second moment about the mean, of the population. Two passes: deviations from the rounded
     *  mean, corrected by their own sum. NaN if there is no value. */
    double variance = std::numeric_limits<double>::quiet_NaN();
    double median = std::numeric_limits<double>::quiet_NaN();
    std::int64_t variety = 0; /**< the number of distinct values */
    /** The most and the least frequent value; of several, the largest and the smallest. */
    T majority = 0, minority = 0;
};

/** Summaries of the values of an image within each feature of some polygons, of which it is a view.
 *
 *  The quantile q of n values is that of the sorted values at the index q * (n - 1), interpolated
 *  linearly; the median is the mean of both values in the middle. If weighted, both are
 *  interpolated between the n distinct values: the i-th, at a weight w_i after weights that sum to
 *  W_i, lies at the position i * w_i + (n - 1) * W_i, and the quantile at q * (n - 1) * W. */
template <class T> class Summaries
{
  public:
    /** @throws std::invalid_argument  for a quantile outside 0 .. 1, and as statistics(). */
    POLYMASK_API Summaries(const Polygons &polygons, const SummaryParts &parts,
                           const Selection &selection = {}, const Work &work = {});
    POLYMASK_API ~Summaries();
    Summaries(const Summaries &) = delete;
    Summaries &operator=(const Summaries &) = delete;

    /** Adds the pixels of a window to some features.
     *
     *  The result is that of the whole image, bit for bit, if each feature gets its windows from
     *  the top down, and each window has all columns of the feature's pixels.
     *  @param grid      that of the window.
     *  @param features  their indices, each at most once.
     *  @param is_last  for each, not 0 if this is its last window; its summary is complete then.
     *  Threads share the features; the result does not depend on their number. Memory: the values
     *  of one feature per thread, and of those that are not complete. */
    POLYMASK_API void add(const Grid &grid, const Values<T> &values,
                          std::span<const std::int64_t> features,
                          std::span<const std::uint8_t> is_last);

    /** One per feature. */
    POLYMASK_API std::span<const Summary<T>> all() const noexcept;
    /** The quantiles of all features, one feature after the other; NaN without values. */
    POLYMASK_API std::span<const double> quantiles() const noexcept;
    /** The distinct values of a feature, in order; none without SummaryParts::shares. */
    POLYMASK_API std::span<const Share<T>> shares(std::int64_t feature) const noexcept;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace polymask::inline POLYMASK_ABI
