/** @file runs.hpp
 *  Runs instead of masks: the columns where the inside parts of a polygon's rows start and stop,
 *  exactly as in its mask, at a cost proportional to the crossings of edges with rows, not to the
 *  pixels; also counts of pixels and centroids, computed without storing runs.
 *
 *  Conventions and exactness are those of polymask.hpp. A run consists of the pixels
 *  start .. stop - 1 in a row; rows and columns are those of the window, counted from 0. The runs
 *  of a feature are the union over its polygons, sorted by row and then by start; runs in the same
 *  row never overlap or touch.
 *
 *  Polygons are scanned twice, first for the number of runs and then for the runs: no other thread
 *  may write to the vertices meanwhile.
 *
 *  Work memory: about 20 bytes per vertex of the current polygon and 4 per row and crossing, reused
 *  for the next one; if very many edges meet in a row, also the memory of its mask (90 bytes per
 * edge and 300 KiB). The runs of a feature with several polygons are collected and sorted (24 bytes
 * per run). Nothing else is allocated per polygon. If the window reaches beyond 2^50 samples from
 * the origin, where samples are not exact, and the polygon beyond 2^40, it is tested point by
 * point.
 *
 *  All functions throw std::invalid_argument with the first error, as fill_mask does,
 *  std::runtime_error for an unavailable instruction set, and std::bad_alloc. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include "polymask/polygons.hpp"
#include "polymask/polymask.hpp"

namespace polymask::inline POLYMASK_ABI
{

/** The pixels start .. stop - 1 in a row. */
struct Run {
    std::int64_t row, start, stop;
    std::int64_t size() const noexcept { return stop - start; }
    bool operator==(const Run &) const = default;
};

/** The output for runs: three arrays of equal size. T is std::int32_t or std::int64_t, and must be
 *  able to represent all rows and columns. */
template <class T> struct RunArrays {
    std::span<T> rows, starts, stops;
};

/** Returns the maximum number of runs: half of the crossings of edges with rows in the window, and
 *  one per vertex on a sample. There are rarely much fewer, unless edges coincide or lie beside the
 *  window. The cost is a few nanoseconds per vertex. */
[[nodiscard]] POLYMASK_API std::int64_t most_runs(const Polygons &polygons, const Grid &grid,
                                                  const Selection &selection = {},
                                                  const Work &work = {});
[[nodiscard]] POLYMASK_API std::int64_t
most_runs(const Polygon &polygon, const Grid &grid, const Selection &selection = {},
          InstructionSet instruction_set = InstructionSet::automatic);

/** Writes the runs of a polygon, in one thread.
 *  @param out  with room for most_runs(); elements after the last run are left unchanged.
 *  @return  the number of runs.
 *  @throws std::invalid_argument  also if there is too little room, or if rows or columns exceed T;
 *          nothing is written then. */
template <class T>
POLYMASK_API std::int64_t polygon_runs(const Polygon &polygon, const Grid &grid,
                                       const RunArrays<T> &out, const Selection &selection = {},
                                       InstructionSet instruction_set = InstructionSet::automatic);

/** Writes the runs of each feature, one feature after the other.
 *  @param ends  one per feature: the end of its runs. The runs of the first feature begin at 0,
 *               those of each other feature at the previous end.
 *  @param out, return, throws  as in polygon_runs.
 *  Threads share the features; the result does not depend on their number. */
template <class T>
POLYMASK_API std::int64_t label_runs(const Polygons &polygons, const Grid &grid,
                                     std::span<std::int64_t> ends, const RunArrays<T> &out,
                                     const Selection &selection = {}, const Work &work = {});

/** Exact sums over the pixels of a feature: their number, and the sums of their rows and columns,
 *  counted from the first of the window. The centroid is
 *  (rows / pixels + row_offset, columns / pixels + column_offset), plus 0.5 each with
 *  Grid::center. */
struct PixelSums {
    std::int64_t pixels = 0, rows = 0, columns = 0;
    bool operator==(const PixelSums &) const = default;
};

/** Counts the pixels of each feature, without storing runs, in windows of any size.
 *  @param counts  one per feature. */
POLYMASK_API void pixel_counts(const Polygons &polygons, const Grid &grid,
                               std::span<std::int64_t> counts, const Selection &selection = {},
                               const Work &work = {});

/** Computes the sums over the pixels of each feature, without storing runs.
 *  @param sums  one per feature.
 *  @throws std::invalid_argument  also for a window in which a sum could exceed 63 bits: if the
 *          product of rows, cols and max(rows, cols) exceeds 2^63, as for 2^21 x 2^21. */
POLYMASK_API void pixel_sums(const Polygons &polygons, const Grid &grid, std::span<PixelSums> sums,
                             const Selection &selection = {}, const Work &work = {});

/** The function that for_each_run calls with some of a feature's runs. */
using RunsVisitor = void (*)(void *context, std::int64_t feature, std::span<const Run> runs);

/** for_each_run for a function and its context. */
POLYMASK_API void visit_runs(const Polygons &polygons, const Grid &grid, RunsVisitor visitor,
                             void *context, const Selection &selection = {},
                             InstructionSet instruction_set = InstructionSet::automatic);

/** Calls visit(feature, runs) for all runs in order of features, in one thread: `runs` is a
 *  std::span<const Run> of at least one, and a feature with many runs is passed in several parts.
 *  An exception from visit ends the loop. */
template <class Visit>
void for_each_run(const Polygons &polygons, const Grid &grid, Visit &&visit,
                  const Selection &selection = {},
                  InstructionSet instruction_set = InstructionSet::automatic)
{
    visit_runs(
        polygons, grid,
        [](void *context, std::int64_t feature, std::span<const Run> runs) {
            (*static_cast<std::remove_reference_t<Visit> *>(context))(feature, runs);
        },
        const_cast<void *>(static_cast<const volatile void *>(std::addressof(visit))), selection,
        instruction_set);
}

} // namespace polymask::inline POLYMASK_ABI
