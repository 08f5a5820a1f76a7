/** @file statistics.hpp
 *  What the values of an image add up to within each polygon: number, sum, least and greatest
 *  ("zonal statistics"), without a mask or an image of labels. Polygons may overlap: each has its
 *  own pixels, exactly those of its mask.
 *
 *  Conventions, options, exactness and errors are those of runs.hpp; so is the work memory. Beside
 *  the runs, each pixel is read once, some nanoseconds for four. */
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
    /** rows * cols, or empty: where it is not 0, there is no value. */
    std::span<const std::uint8_t> missing = {};
    /** A pixel that equals it has no value. */
    std::optional<T> nodata = {};
};

/** What the values within a feature add up to. A NaN is no value. */
template <class T> struct Statistics {
    /** Integers are added modulo 2^64. Floating-point values are added as double, in an order that
     *  does not depend on the number of threads. */
    using Sum =
        std::conditional_t<std::is_floating_point_v<T>, double,
                           std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

    std::int64_t count = 0; /**< of values */
    Sum sum = 0;
    T min = 0, max = 0; /**< 0 where there is no value */
};

/** Adds up each feature's values.
 *  @param rows, cols  of the image, which may be a window of a larger one by Options' offsets.
 *  @param out  one per feature.
 *  @throws std::invalid_argument  also for values or missing of another size.
 *  Threads share the features; the result is the same with any number. */
template <class T>
POLYMASK_API void statistics(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                             const Values<T> &values, std::span<Statistics<T>> out,
                             const Options &options = {});

} // namespace polymask
