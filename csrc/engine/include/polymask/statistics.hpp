/** @file statistics.hpp
 *  Zonal statistics: number, sum, minimum and maximum of the values of an image within each
 *  polygon, without a mask or an image of labels. Polygons may overlap: each has exactly the pixels
 *  of its mask.
 *
 *  Conventions, options, exactness, errors and work memory are those of runs.hpp, and 8 bytes per
 *  feature more, or 24 for a short time if the image is large: its features are then visited in an
 *  order in which neighbours follow each other. In addition to the cost of the runs, each pixel is
 *  read once, at a few nanoseconds per four pixels. */
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "polymask/polygons.hpp"
#include "polymask/polymask.hpp"

namespace polymask
{

/** The values of an image, row by row. T is a fixed-width integer of 8 to 64 bits, float or
 *  double. */
template <class T> struct Values {
    std::span<const T> pixels; /**< rows * cols */
    /** rows * cols, or empty: pixels where it is not 0 have no value. */
    std::span<const std::uint8_t> missing = {};
    /** Pixels that equal it have no value. */
    std::optional<T> nodata = {};
};

/** Statistics of the values within a feature. NaN is not a value. */
template <class T> struct Statistics {
    /** Integers are added modulo 2^64. Floating-point values are added as double, in an order that
     *  does not depend on the number of threads. */
    using Sum =
        std::conditional_t<std::is_floating_point_v<T>, double,
                           std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

    std::int64_t count = 0; /**< the number of values */
    Sum sum = 0;
    T min = 0, max = 0; /**< 0 if there is no value */
};

/** Computes the statistics of each feature.
 *  @param rows, cols  of the image, which may be a window of a larger one by Options' offsets.
 *  @param out  one per feature.
 *  @throws std::invalid_argument  also for a wrong size of the values or of missing.
 *  Threads share the features; the result does not depend on their number. */
template <class T>
POLYMASK_API void statistics(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                             const Values<T> &values, std::span<Statistics<T>> out,
                             const Options &options = {});

} // namespace polymask
