/** @file coco.hpp
 *  Masks in COCO's formats: run lengths down the columns, and their compressed text, without an
 *  intermediate mask. The pixels are those of the masks. (COCO's own conversion of polygons to run
 *  lengths draws outlines, and differs along the edges.)
 *
 *  Conventions, options, exactness and errors are those of runs.hpp. The cost is that of the runs
 *  and a few nanoseconds per number; work memory is 24 bytes per run of the current feature and
 *  about 12 per column that it covers. Each thread collects its results, and they are joined at the
 *  end. */
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "polymask/polygons.hpp"
#include "polymask/polymask.hpp"

namespace polymask
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
[[nodiscard]] POLYMASK_API ColumnCounts column_counts(const Polygons &polygons, std::int64_t rows,
                                                      std::int64_t cols,
                                                      const Options &options = {});

/** COCO's text of the run lengths of many features, in the same order. */
struct CocoText {
    std::string text;
    std::vector<std::int64_t> ends; /**< one per feature: the end of its text */
};

/** Computes the text of each feature's counts, the "counts" of a compressed mask. */
[[nodiscard]] POLYMASK_API CocoText coco_text(const Polygons &polygons, std::int64_t rows,
                                              std::int64_t cols, const Options &options = {});

} // namespace polymask
