/** @file polymask.h
 *  Exact polygon masks for programs in C (C99), and for languages that call C: single masks,
 *  points, images of labels, and fractions. The other headers, for C++, have more functions; those
 *  in this header call the same code.
 *
 *  Conventions. A vertex is a pair (x, y) of doubles in pixels; x runs along a row, y counts rows
 *  and grows downwards. The sample of element [row, column] in a mask is the point
 *  (column + column_offset, row + row_offset), plus (0.5, 0.5) with `center`. Filling is even-odd
 *  over all edges of all rings; in each ring the last vertex joins the first. Images are in C
 *  order, row after row. A count is that of vertices, points or rings, not of coordinates; a
 *  pointer may be NULL if its count is 0.
 *
 *  Each function returns a polymask_status, and writes a message into `error`, which is NULL or has
 *  room for POLYMASK_ERROR_SIZE bytes: one line of ASCII, truncated if it is too long, always
 *  terminated by a zero, and empty on success. No C++ exception leaves a function.
 *
 *  Several threads may call every function at the same time if the outputs do not overlap. All
 *  functions are safe after fork. */
#ifndef POLYMASK_POLYMASK_H
#define POLYMASK_POLYMASK_H

#include <stddef.h>
#include <stdint.h>

#include "polymask/config.h"

#ifdef __cplusplus
extern "C" {
#endif

#define POLYMASK_ERROR_SIZE 256

/** The result of a function. */
enum polymask_status {
    POLYMASK_DONE = 0,
    POLYMASK_INVALID = 1,       /**< invalid argument or option; nothing was written */
    POLYMASK_UNAVAILABLE = 2,   /**< the options or POLYMASK_ISA request an instruction set that is
                                     unknown or that this processor lacks, or POLYMASK_STORES is
                                     unknown; nothing was written */
    POLYMASK_OUT_OF_MEMORY = 3, /**< work memory could not be allocated; nothing was written, except
                                     perhaps tiles of labels, and parts of images of more than 2^20
                                     columns or 2^30 rows */
    POLYMASK_INTERRUPTED = 4,   /**< stopped by a caller that uses interruption.hpp in C++; the
                                     output is written in part */
    POLYMASK_FAILED = 5,        /**< any other exception; the output may be written in part */
};

/** The value of a sample that equals a vertex. */
enum polymask_border {
    POLYMASK_BORDER_INSIDE = 0,
    POLYMASK_BORDER_OUTSIDE = 1,
    POLYMASK_BORDER_HALF_OPEN = 2, /**< decided by the edges, like any other sample: if polygons
                                        tile the plane, every sample is in exactly one */
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
 *  this version does not know are 0. In C and C++20:
 *
 *      const polymask_options options = {.size = sizeof options, .center = 1};
 */
typedef struct polymask_options {
    size_t size; /**< of this struct, in bytes: sizeof(polymask_options) */

    /* For masks, labels and fractions: */
    int64_t row_offset;      /**< y of the first row's samples; for fractions, |offset| + size is at
                                  most 2^50 */
    int64_t column_offset;   /**< x of the first column's samples */
    int64_t row_stride;      /**< elements of `out` from row to row, for rows of a larger array,
                                  between which nothing is written; 0: no gaps between rows */
    int32_t center;          /**< flag: sample at (x + 0.5, y + 0.5) */
    int32_t out_is_zero;     /**< flag: `out` contains only zeros, so zeros need not be written */
    int32_t instruction_set; /**< polymask_instruction_set */

    /* For masks, labels and points: */
    int32_t border;     /**< polymask_border */
    int32_t watertight; /**< flag: polygons that share edges leave no gap, regardless of the
                             direction of their edges */
    int32_t threads;    /**< their maximum; 0: one for work of up to 40 microseconds, else
                             OMP_NUM_THREADS, or the processors of the process and its container */

    /* For masks: */
    int32_t stores; /**< polymask_stores */

    /* For labels: */
    int32_t on_top;           /**< polymask_on_top */
    int32_t background;       /**< the value of pixels in no feature */
    int32_t keeps_background; /**< flag: leave those pixels unchanged */
    int32_t adds;             /**< flag: a pixel is its old value, or the background, plus the
                                   labels of all its features, modulo 2^32 */

    /* For fractions: */
    int32_t subpixels; /**< 0: areas; 1 to 32: the share of subpixels x subpixels samples */
} polymask_options;

/** Fills a mask of one byte per sample: 1 inside, 0 outside, at about one store per pixel and half
 *  a nanosecond per crossing of an edge with a row. Work memory: at most 90 bytes per edge and
 *  300 KiB; for each additional thread, 10 bytes per edge and another 300 KiB.
 *  @param vertices     x0, y0, x1, y1, ... of vertex_count vertices, all finite; at most 2^30.
 *  @param ring_starts  index of each ring's first vertex, ascending from 0, for outer rings and
 *                      holes, with at least 3 vertices each. ring_count 0: one ring.
 *  @param out          out_size bytes: rows * cols, or with `row_stride` at least
 *                      (rows - 1) * row_stride + cols. Every byte is written, at any alignment.
 *  @param options      NULL: defaults.
 *  @param error        NULL, or room for POLYMASK_ERROR_SIZE bytes.
 *  @return  a polymask_status. */
POLYMASK_API int polymask_fill_mask(const double *vertices, size_t vertex_count,
                                    const int64_t *ring_starts, size_t ring_count, int64_t rows,
                                    int64_t cols, uint8_t *out, size_t out_size,
                                    const polymask_options *options, char *error);

/** Tests points by the same rule, at a nanosecond per point and vertex. It needs no memory.
 *  @param vertices, ring_starts, options, error, return  as in polymask_fill_mask.
 *  @param points  x0, y0, x1, y1, ... of point_count points: any finite numbers.
 *  @param out     a byte per point: 1 inside, 0 outside. */
POLYMASK_API int polymask_contains(const double *vertices, size_t vertex_count,
                                   const int64_t *ring_starts, size_t ring_count,
                                   const double *points, size_t point_count, uint8_t *out,
                                   const polymask_options *options, char *error);

/** Many polygons, ragged, as in GeoArrow: three levels of offsets, each into the next array.
 *  Features consist of polygons, polygons of rings, rings of vertices; labels belong to features.
 *  A view: it owns no memory. Offsets never decrease; they need not begin at 0. */
typedef struct polymask_polygons {
    const double *vertices; /**< x0, y0, x1, y1, ...: finite, in pixels */
    size_t vertex_count;
    const int64_t *ring_offsets; /**< ring_count + 1: ring r has at least 3 vertices, from
                                      ring_offsets[r] to ring_offsets[r + 1] - 1 */
    size_t ring_count;
    const int64_t *polygon_offsets; /**< polygon_count + 1, into rings. NULL: one ring each */
    size_t polygon_count;
    const int64_t *feature_offsets; /**< feature_count + 1, into polygons. NULL: one polygon each */
    size_t feature_count;
} polymask_polygons;

/** Paints an image of labels: each feature's number into exactly the pixels of its mask. The image
 *  does not depend on the number of threads. The cost is a fraction of a microsecond per small
 *  feature, a few nanoseconds per vertex and row, and a store per pixel. Work memory: 40 bytes per
 *  feature, 4 per feature and tile that its box meets, and per thread the memory of one feature's
 *  mask.
 *  @param polygons  not NULL.
 *  @param labels    label_count numbers, one per feature. label_count 0: 1, 2, 3, ...
 *  @param out       out_size labels: rows * cols, with `row_stride` as for a mask.
 *  @param options, error, return  as in polymask_fill_mask. */
POLYMASK_API int polymask_fill_labels(const polymask_polygons *polygons, const int32_t *labels,
                                      size_t label_count, int64_t rows, int64_t cols, int32_t *out,
                                      size_t out_size, const polymask_options *options,
                                      char *error);

/** Computes the fraction of each pixel's square that a polygon covers, 0 to 1. The square is
 *  centred on the pixel's sample; with `center` it reaches from (column, row) to
 *  (column + 1, row + 1). Rings that lie inside an odd number of others are holes.
 *
 *  Areas are exact to 2^-30 per edge where rings do not cross; coverage.hpp describes the other
 *  cases. The cost is a few nanoseconds per row that an edge crosses and a store per pixel, in the
 *  calling thread; work memory is 88 bytes per edge, 76 per ring if there are several, and 512 KiB,
 *  or one row if that is more. With `subpixels`, the result is the share of subpixels x subpixels
 *  samples that are inside, for any polygon, at the cost of a mask of all samples.
 *  @param out  out_size floats: rows * cols, with `row_stride` as for a mask.
 *  @param vertices, ring_starts, options, error, return  as in polymask_fill_mask. */
POLYMASK_API int polymask_coverage(const double *vertices, size_t vertex_count,
                                   const int64_t *ring_starts, size_t ring_count, int64_t rows,
                                   int64_t cols, float *out, size_t out_size,
                                   const polymask_options *options, char *error);

/** Returns the version of the linked library; POLYMASK_VERSION is that of the headers. */
POLYMASK_API const char *polymask_version(void);

/** Reads POLYMASK_ISA, POLYMASK_STORES and OMP_NUM_THREADS again. The library reads them when it is
 *  first used, not in each call: on most systems, a program must not change a variable while
 *  another thread reads one. */
POLYMASK_API void polymask_read_environment(void);

#ifdef __cplusplus
}
#endif

#endif
