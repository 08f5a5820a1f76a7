/** @file c_options.h
 *  The options of the functions in polymask.h, which includes this header.
 */
#ifndef POLYMASK_C_OPTIONS_H
#define POLYMASK_C_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

/** The value of a sample that equals a vertex. */
enum polymask_border {
    POLYMASK_BORDER_INSIDE = 0,
    POLYMASK_BORDER_OUTSIDE = 1,
    POLYMASK_BORDER_HALF_OPEN = 2, /**< decided by the edges, like any other sample: if polygons
                                        tile the plane, every sample is in exactly one */
};

/** The pixels that belong to a polygon. */
enum polymask_touched {
    POLYMASK_TOUCHED_NONE = 0,   /**< those whose sample is inside */
    POLYMASK_TOUCHED_CLOSED = 1, /**< those whose square the polygon touches with an edge, a vertex
                                      or its interior; `border` and `watertight` are refused */
    POLYMASK_TOUCHED_OPEN = 2,   /**< in the same way, but squares do not include their borders */
};

/** The code that computes. The result does not depend on it. */
enum polymask_instruction_set {
    /** POLYMASK_ISA if that is set, else the widest set of the processor */
    POLYMASK_ISA_AUTOMATIC = 0,
    POLYMASK_ISA_PLAIN = 1,
    POLYMASK_ISA_AVX2 = 2,
    POLYMASK_ISA_AVX512 = 3,
    POLYMASK_ISA_NEON = 4,
};

/** The kind of store to memory. The result does not depend on it. */
enum polymask_stores {
    POLYMASK_STORES_AUTOMATIC = 0,  /**< POLYMASK_STORES if that is set, else by the size of the
                                         mask and the processor */
    POLYMASK_STORES_CACHED = 1,     /**< ordinary stores */
    POLYMASK_STORES_PREFETCHED = 2, /**< ordinary stores after a write prefetch */
    POLYMASK_STORES_STREAMING = 3,  /**< stores that bypass the caches, if the processor has them */
};

/** The feature whose label is visible where several overlap. */
enum polymask_on_top {
    POLYMASK_ON_TOP_LAST = 0,  /**< the last one */
    POLYMASK_ON_TOP_FIRST = 1, /**< the first one */
    /** the one with the smallest area by its vertices, or the last of several */
    POLYMASK_ON_TOP_SMALLEST = 2,
};

/** Options: a field that is 0 has its default, and any other number sets a flag. A function rejects
 *  a field that is not 0 if it does not use the field. Newer versions only add fields at the end:
 *  missing fields of a smaller struct are 0, and a larger struct is rejected unless all fields that
 *  this version does not know are 0. "Runs" include counts, sums and boxes. In C and C++20:
 *
 *      const polymask_options options = {.size = sizeof options, .center = 1};
 */
typedef struct polymask_options {
    size_t size; /**< of this struct, in bytes: sizeof(polymask_options) */

    /* For all except points: */
    int64_t row_offset;    /**< y of the first row's samples; for fractions and with `touched`,
                                |offset| + size is at most 2^50, for outlines |offset| 2^51 */
    int64_t column_offset; /**< x of the first column's samples */
    int64_t row_stride;    /**< not for runs and crops: elements of an image from row to row, for
                                rows of a larger array, between which nothing is read or written;
                                0: no gaps between rows */
    int32_t center;        /**< flag: sample at (x + 0.5, y + 0.5) */

    /* For masks, points, labels, runs and crops: */
    int32_t border;     /**< polymask_border */
    int32_t watertight; /**< flag: polygons that share edges leave no gap, regardless of the
                             direction of their edges */
    int32_t threads;    /**< their maximum; 0: one for work of up to 40 microseconds, else
                             OMP_NUM_THREADS, or the processors of the process and its container */

    /* For some of them: */
    int32_t touched;         /**< polymask_touched; not for masks and points */
    int32_t instruction_set; /**< polymask_instruction_set; not for points; also for fractions */
    int32_t out_is_zero;     /**< flag: `out` contains only zeros, so zeros need not be written; not
                                  for points and runs; also for fractions */
    int32_t stores;          /**< polymask_stores; for masks */

    /* For labels: */
    int32_t on_top;           /**< polymask_on_top */
    int32_t background;       /**< the value of pixels in no feature; also for their outlines */
    int32_t keeps_background; /**< flag: leave those pixels unchanged */
    int32_t adds;             /**< flag: a pixel is its old value, or the background, plus the
                                   labels of all its features, modulo 2^32 */

    /* For fractions: */
    int32_t subpixels; /**< 0: areas; 1 to 32: the share of subpixels x subpixels samples */

    /* For outlines: */
    int32_t joins_corners; /**< flag: pixels that share only a corner are connected */
} polymask_options;

#endif
