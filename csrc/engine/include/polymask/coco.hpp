/** @file coco.hpp
 *  Masks as COCO stores them: run lengths down the columns, and its short text of them, without a
 *  mask in between. The pixels are those of the masks (COCO's own way from polygons to run lengths
 *  draws outlines, and has others along the edges).
 *
 *  Conventions, options, exactness and errors are those of runs.hpp. The cost is that of the runs,
 *  and some nanoseconds for each number; work memory is 24 bytes a run of the feature at hand and
 *  some 12 a column that it reaches. The results grow as they are made, one to a thread, and are
 *  joined at the end. */
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "polymask/polygons.hpp"
#include "polymask/polymask.hpp"

namespace polymask
{

/** Run lengths of many features, one feature's behind the other's. */
struct ColumnCounts {
    /** Pixels outside and inside in turn, down the first column, then the second and so on; of a
     *  feature they add up to rows * cols, and only the first may be 0. */
    std::vector<std::int64_t> counts;
    std::vector<std::int64_t> ends; /**< one per feature: behind its last */
};

/** Makes each feature's counts. Threads share the features; the result is the same with any
 *  number. */
[[nodiscard]] POLYMASK_API ColumnCounts column_counts(const Polygons &polygons, std::int64_t rows,
                                                      std::int64_t cols,
                                                      const Options &options = {});

/** COCO's text of the run lengths of many features, likewise. */
struct CocoText {
    std::string text;
    std::vector<std::int64_t> ends; /**< one per feature: behind its last character */
};

/** Makes the text of each feature's counts, "counts" of a compressed mask. */
[[nodiscard]] POLYMASK_API CocoText coco_text(const Polygons &polygons, std::int64_t rows,
                                              std::int64_t cols, const Options &options = {});

} // namespace polymask
