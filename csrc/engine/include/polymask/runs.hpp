/** @file runs.hpp
 *  Runs instead of masks: where a polygon's rows start and stop to be inside, exactly the pixels of
 *  its mask, at a cost that follows the crossings of edges and rows and not the pixels. From them:
 *  counts of pixels and centroids, without storing a run.
 *
 *  Conventions, options and exactness are those of polymask.hpp. A run is the pixels
 *  start .. stop - 1 of a row; rows and columns are those of the window, counted from 0. The runs
 * of a feature are the union of its polygons', sorted by row and then start; two of a row never
 * overlap or touch.
 *
 *  Polygons are scanned twice, for the room that runs may need and for the runs: no other thread
 * may write to the vertices meanwhile.
 *
 *  Of Options only those of an image that is written, and the stores, are not used. Work memory:
 * for a polygon at hand some 20 bytes a vertex, and 4 a row and crossing, kept from one to the
 * next; where very many edges meet in a row, that of its mask, too (90 bytes an edge and 300 KiB).
 * The runs of a feature of more than one polygon are collected and sorted (24 bytes a run). Nothing
 * is allocated per polygon otherwise. Where the window reaches beyond 2^50 samples from the origin,
 *  where samples are not exact, and the polygon beyond 2^40, it is tested point by point.
 *
 *  All throw std::invalid_argument naming the first thing wrong, as fill_mask does,
 *  std::runtime_error for an instruction set that is not here, std::bad_alloc. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include "polymask/polygons.hpp"
#include "polymask/polymask.hpp"

namespace polymask
{

/** Pixels start .. stop - 1 of a row. */
struct Run {
    std::int64_t row, start, stop;
    std::int64_t size() const noexcept { return stop - start; }
    bool operator==(const Run &) const = default;
};

/** Where runs are written to: three arrays of one size. T is std::int32_t or std::int64_t, and
 *  holds the numbers of all rows and columns. */
template <class T> struct RunArrays {
    std::span<T> rows, starts, stops;
};

/** How many runs there are at most: half of the crossings of edges and rows in the window, and one
 *  per vertex that lies on a sample. Rarely are there much fewer, unless edges coincide or lie
 * beside the window. Takes a few nanoseconds a vertex. */
[[nodiscard]] POLYMASK_API std::int64_t most_runs(const Polygons &polygons, std::int64_t rows,
                                                  std::int64_t cols, const Options &options = {});
[[nodiscard]] POLYMASK_API std::int64_t most_runs(const Polygon &polygon, std::int64_t rows,
                                                  std::int64_t cols, const Options &options = {});

/** Writes a polygon's runs, by one thread.
 *  @param out  with room for most_runs(): what is not written is not touched.
 *  @return  their number.
 *  @throws std::invalid_argument  also where there is too little room, or rows or columns beyond
 *          T; nothing is written then. */
template <class T>
POLYMASK_API std::int64_t polygon_runs(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                                       const RunArrays<T> &out, const Options &options = {});

/** Writes the runs of each feature, one feature after the other.
 *  @param ends  one per feature: behind its last run. The first feature's begin at 0, each other's
 *               where those before end.
 *  @param out, return, throws  as polygon_runs.
 *  Threads share the features; the result is the same with any number. */
template <class T>
POLYMASK_API std::int64_t label_runs(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                                     std::span<std::int64_t> ends, const RunArrays<T> &out,
                                     const Options &options = {});

/** What a feature's pixels add up to, exactly: their number, and their rows and columns, counted
 *  from the window's first. The centroid is, with sample centres or not,
 *  (rows / pixels + row_offset, columns / pixels + column_offset), plus 0.5 each with
 *  Options::center. */
struct PixelSums {
    std::int64_t pixels = 0, rows = 0, columns = 0;
    bool operator==(const PixelSums &) const = default;
};

/** Counts each feature's pixels; no run is stored, and no window is too large.
 *  @param counts  one per feature. */
POLYMASK_API void pixel_counts(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                               std::span<std::int64_t> counts, const Options &options = {});

/** Adds up each feature's pixels; no run is stored.
 *  @param sums  one per feature.
 *  @throws std::invalid_argument  also for a window in which a sum could pass 63 bits: the product
 *          of rows, cols and max(rows, cols) beyond 2^63, such as 2^21 x 2^21. */
POLYMASK_API void pixel_sums(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                             std::span<PixelSums> sums, const Options &options = {});

/** What for_each_run calls with some of a feature's runs. */
using RunsVisitor = void (*)(void *context, std::int64_t feature, std::span<const Run> runs);

/** for_each_run for a function and its context. */
POLYMASK_API void visit_runs(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                             RunsVisitor visitor, void *context, const Options &options = {});

/** Calls visit(feature, runs) with each feature's runs in order, features in order, by one thread:
 *  `runs` are a std::span<const Run> of at least one, and a feature of many comes in several. What
 *  visit throws ends it. */
template <class Visit>
void for_each_run(const Polygons &polygons, std::int64_t rows, std::int64_t cols, Visit &&visit,
                  const Options &options = {})
{
    visit_runs(
        polygons, rows, cols,
        [](void *context, std::int64_t feature, std::span<const Run> runs) {
            (*static_cast<std::remove_reference_t<Visit> *>(context))(feature, runs);
        },
        const_cast<void *>(static_cast<const volatile void *>(std::addressof(visit))), options);
}

} // namespace polymask
