/** @file coco.hpp
 *  Masks in COCO's formats: run lengths down the columns, and their compressed text, from polygons
 *  and back to runs, without an intermediate mask. The pixels are those of the masks. (COCO's own
 *  conversion of polygons to run lengths draws outlines, and differs along the edges.)
 *
 *  Conventions, exactness and errors are those of runs.hpp. The cost is that of the runs
 *  and a few nanoseconds per number; work memory is 24 bytes per run of the current feature and
 *  about 12 per column that it covers. Each thread collects its results, and they are joined at the
 *  end. */
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polymask/outlines.hpp"
#include "polymask/polygons.hpp"
#include "polymask/polymask.hpp"
#include "polymask/runs.hpp"

namespace polymask::inline POLYMASK_ABI
{

/** Run lengths of many features, one feature after the other. */
struct ColumnCounts {
    /** Alternating numbers of pixels outside and inside, down the first column, then the second and
     *  so on. The counts of a feature add up to rows * cols, and only its first may be 0. */
    std::vector<std::int64_t> counts;
    std::vector<std::int64_t> ends; /**< one per feature: the end of its counts */
};

/** Computes the counts of each feature. Threads share the features; the result does not depend on
 *  their number. */
[[nodiscard]] POLYMASK_API ColumnCounts column_counts(const Polygons &polygons, const Grid &grid,
                                                      const Selection &selection = {},
                                                      const Work &work = {});

/** COCO's text of the run lengths of many features, in the same order. */
struct CocoText {
    std::string text;
    std::vector<std::int64_t> ends; /**< one per feature: the end of its text */
};

/** Computes the text of each feature's counts, the "counts" of a compressed mask. */
[[nodiscard]] POLYMASK_API CocoText coco_text(const Polygons &polygons, const Grid &grid,
                                              const Selection &selection = {},
                                              const Work &work = {});

/** Reads the text of one mask, in COCO's format or that of coco_text.
 *  @throws std::invalid_argument  for other characters, a text that ends within a number, or a
 *          number beyond 64 bits. */
[[nodiscard]] POLYMASK_API std::vector<std::int64_t> counts_of_text(std::string_view text);

/** Returns the runs along the rows of a mask given by its counts down the columns, sorted by row
 *  and start. Any count may be 0. The cost is proportional to the counts and the runs; if the runs
 *  are few and their rows far apart, it also grows with the logarithm of the runs.
 *  @throws std::invalid_argument  for a negative count, or counts that do not add up to
 *          rows * cols.
 *  @throws std::bad_alloc  for more runs than memory can hold. */
[[nodiscard]] POLYMASK_API std::vector<Run> runs_of_counts(std::span<const std::int64_t> counts,
                                                           Shape shape);

/** Returns the outlines of a mask given by its counts down the columns, as from mask_to_rings. The
 *  cost is proportional to the counts and the runs. Work memory: that of runs_of_counts, and that
 * of mask_to_rings for its corners.
 *  @throws  as runs_of_counts does, and as mask_to_rings does for the smallest box with the mask.
 */
[[nodiscard]] POLYMASK_API Outlines outlines_of_counts(std::span<const std::int64_t> counts,
                                                       Shape shape);

} // namespace polymask::inline POLYMASK_ABI
