/** @file polymask.h
 *  Exact polygon masks for programs in C (C99), and for languages that call C: single masks,
 *  points, images of labels, and fractions. The other headers, for C++, have more; what is here
 *  does the same, by the same code.
 *
 *  Conventions. A vertex is a pair (x, y) of doubles in pixels; x runs along a row, y counts rows
 *  and grows downwards. The sample of element [row, column] of a mask is the point
 *  (column + column_offset, row + row_offset), plus (0.5, 0.5) with `center`. Filling is even-odd
 *  over all edges of all rings; in each ring the last vertex joins the first. Images are in C
 *  order, row after row. Counts of vertices, points and rings count these, not their numbers; a
 *  pointer may be NULL where its count is 0.
 *
 *  Each function returns a polymask_status, and writes into `error`, which is NULL or has room for
 *  POLYMASK_ERROR_SIZE bytes, what was wrong: a line in ASCII, cut where it is longer, always ended
 *  by a zero; an empty one where nothing was. No exception of C++ leaves a function.
 *
 *  Every function may be called from many threads at once, as long as outputs do not overlap, and
 *  in a process that was forked. */
#ifndef POLYMASK_POLYMASK_H
#define POLYMASK_POLYMASK_H

#include <stddef.h>
#include <stdint.h>

#include "polymask/config.h"

#ifdef __cplusplus
extern "C" {
#endif

#define POLYMASK_ERROR_SIZE 256

/** What a function returns. */
enum polymask_status {
    POLYMASK_DONE = 0,
    POLYMASK_INVALID = 1,       /**< an argument or an option; nothing was written */
    POLYMASK_UNAVAILABLE = 2,   /**< an instruction set that is unknown or that this processor
                                     lacks, asked for by the options or by POLYMASK_ISA; unknown
                                     POLYMASK_STORES; nothing was written */
    POLYMASK_OUT_OF_MEMORY = 3, /**< no work memory was to be had; nothing was written, but perhaps
                                     tiles of labels, and parts of images of more than 2^20 columns
                                     or 2^30 rows */
    POLYMASK_INTERRUPTED = 4,   /**< by the caller, who uses C++'s interruption.hpp; the output is
                                     written in part */
};

/** What becomes of a sample that equals a vertex. */
enum polymask_border {
    POLYMASK_BORDER_INSIDE = 0,
    POLYMASK_BORDER_OUTSIDE = 1,
    POLYMASK_BORDER_HALF_OPEN = 2, /**< decided by the edges, as any other sample: of polygons that
                                        tile the plane, every sample is in one */
};

/** Which code computes. The result is the same with each. */
enum polymask_instruction_set {
    /** POLYMASK_ISA if that is set, else the widest of the processor */
    POLYMASK_ISA_AUTOMATIC = 0,
    POLYMASK_ISA_PLAIN = 1,
    POLYMASK_ISA_AVX2 = 2,
    POLYMASK_ISA_AVX512 = 3,
    POLYMASK_ISA_NEON = 4,
};

/** How bytes reach memory. The result is the same with each. */
enum polymask_stores {
    POLYMASK_STORES_AUTOMATIC = 0,  /**< POLYMASK_STORES if that is set, else by size of the mask
                                         and processor */
    POLYMASK_STORES_CACHED = 1,     /**< ordinary stores */
    POLYMASK_STORES_PREFETCHED = 2, /**< ordinary stores behind a write prefetch */
    POLYMASK_STORES_STREAMING = 3,  /**< past the caches, where the processor can */
};

/** Which feature's label shows where some overlap. */
enum polymask_on_top {
    POLYMASK_ON_TOP_LAST = 0,  /**< the one that comes later */
    POLYMASK_ON_TOP_FIRST = 1, /**< the one that comes earlier */
    /** the one of smaller area, by its vertices; of equal ones the later */
    POLYMASK_ON_TOP_SMALLEST = 2,
};

/** Options: a field that is 0 has its default, and flags are set by any other number. A function
 *  refuses a field that is not 0 and that it has no use for. Newer versions add fields at the end
 *  alone: what a smaller struct lacks is 0, and a larger one is refused unless what this version
 *  does not know is 0. In C and C++20:
 *
 *      const polymask_options options = {.size = sizeof options, .center = 1};
 */
typedef struct polymask_options {
    size_t size; /**< of this struct, in bytes: sizeof(polymask_options) */

    /* Of masks, labels and fractions: */
    int64_t row_offset;      /**< y of the first row's samples; of fractions |offset| + size is at
                                  most 2^50 */
    int64_t column_offset;   /**< x of the first column's samples */
    int64_t row_stride;      /**< elements of `out` from row to row: rows of a larger array, between
                                  which nothing is written; 0: they follow each other */
    int32_t center;          /**< flag: sample at (x + 0.5, y + 0.5) */
    int32_t out_is_zero;     /**< flag: `out` holds zeros only, and those need not be written */
    int32_t instruction_set; /**< polymask_instruction_set */

    /* Of masks, labels and points: */
    int32_t border;     /**< polymask_border */
    int32_t watertight; /**< flag: polygons that share edges leave no gap, whichever way their
                             edges run */
    int32_t threads;    /**< at most so many; 0: one for what takes some 40 microseconds, else
                             OMP_NUM_THREADS, or as many as the process may use processors */

    /* Of masks: */
    int32_t stores; /**< polymask_stores */

    /* Of labels: */
    int32_t on_top;           /**< polymask_on_top */
    int32_t background;       /**< of pixels in no feature */
    int32_t keeps_background; /**< flag: those pixels are left as they are */
    int32_t adds;             /**< flag: a pixel is what was there, or the background, plus the
                                   labels of all its features, modulo 2^32 */

    /* Of fractions: */
    int32_t subpixels; /**< 0: areas; 1 to 32: the share of so many times so many samples */
} polymask_options;

/** Fills a mask of one byte per sample: 1 inside, 0 outside, at about one store per pixel and half
 *  a nanosecond per crossing of an edge with a row. Work memory: at most 90 bytes an edge and
 *  300 KiB, and for each thread more 10 an edge and as much again.
 *  @param vertices     x0, y0, x1, y1, ... of vertex_count vertices, all finite; at most 2^30.
 *  @param ring_starts  index of each ring's first vertex, ascending, the first one 0: outer rings
 *                      and holes alike, at least 3 vertices each. ring_count 0: one ring.
 *  @param out          out_size bytes: rows * cols, with `row_stride` at least
 *                      (rows - 1) * row_stride + cols. Every byte is written, at any alignment.
 *  @param options      NULL: defaults.
 *  @param error        NULL, or room for POLYMASK_ERROR_SIZE bytes.
 *  @return  a polymask_status. */
POLYMASK_API int polymask_fill_mask(const double *vertices, size_t vertex_count,
                                    const int64_t *ring_starts, size_t ring_count, int64_t rows,
                                    int64_t cols, uint8_t *out, size_t out_size,
                                    const polymask_options *options, char *error);

/** Tests points by the same rule, each at a nanosecond per vertex. It needs no memory.
 *  @param vertices, ring_starts, options, error, return  as of polymask_fill_mask.
 *  @param points  x0, y0, x1, y1, ... of point_count points: any finite numbers.
 *  @param out     a byte per point: 1 inside, 0 outside. */
POLYMASK_API int polymask_contains(const double *vertices, size_t vertex_count,
                                   const int64_t *ring_starts, size_t ring_count,
                                   const double *points, size_t point_count, uint8_t *out,
                                   const polymask_options *options, char *error);

/** Many polygons, ragged, as GeoArrow lays them out: three levels of offsets, each into the next
 *  array. Features are made of polygons, polygons of rings, rings of vertices; a feature is what
 *  gets a label. A view: it owns nothing. Offsets never descend; they need not begin at 0. */
typedef struct polymask_polygons {
    const double *vertices; /**< x0, y0, x1, y1, ...: finite, in pixels */
    size_t vertex_count;
    const int64_t *ring_offsets; /**< ring_count + 1: ring r is vertices ring_offsets[r] up to
                                      ring_offsets[r + 1] - 1, at least 3 of them */
    size_t ring_count;
    const int64_t *polygon_offsets; /**< polygon_count + 1, into rings. NULL: a ring each */
    size_t polygon_count;
    const int64_t *feature_offsets; /**< feature_count + 1, into polygons. NULL: a polygon each */
    size_t feature_count;
} polymask_polygons;

/** Paints an image of labels: each feature's number into exactly the pixels of its mask. The image
 *  is the same with any number of threads. Costs a fraction of a microsecond per feature of few
 *  vertices, some nanoseconds per vertex and row, and a store per pixel. Work memory: 40 bytes a
 *  feature, 4 a feature and tile that its box meets, and what one feature's mask takes for each
 *  thread.
 *  @param polygons  not NULL.
 *  @param labels    label_count numbers, one per feature. label_count 0: 1, 2, 3, ...
 *  @param out       out_size labels: rows * cols, with `row_stride` as for a mask.
 *  @param options, error, return  as of polymask_fill_mask. */
POLYMASK_API int polymask_fill_labels(const polymask_polygons *polygons, const int32_t *labels,
                                      size_t label_count, int64_t rows, int64_t cols, int32_t *out,
                                      size_t out_size, const polymask_options *options,
                                      char *error);

/** Computes how much of each pixel's square a polygon covers, 0 to 1. The square is centred on the
 *  pixel's sample; with `center` it reaches from (column, row) to (column + 1, row + 1). Rings that
 *  lie inside an odd number of others are holes.
 *
 *  Areas are exact to 2^-30 per edge where rings do not cross; coverage.hpp says what they are
 *  elsewhere. Costs a few nanoseconds per row that an edge crosses and a store per pixel, on the
 *  calling thread alone; work memory is 84 bytes an edge, 36 a ring if there are more than one, and
 *  512 KiB, or one row if that is more. With `subpixels` it is the share of so many samples along
 *  each side that lie inside, of any polygon, at the price of a mask that many times larger each
 *  way.
 *  @param out  out_size floats: rows * cols, with `row_stride` as for a mask.
 *  @param vertices, ring_starts, options, error, return  as of polymask_fill_mask. */
POLYMASK_API int polymask_coverage(const double *vertices, size_t vertex_count,
                                   const int64_t *ring_starts, size_t ring_count, int64_t rows,
                                   int64_t cols, float *out, size_t out_size,
                                   const polymask_options *options, char *error);

/** The version of the library that was linked, as POLYMASK_VERSION is that of the headers. */
POLYMASK_API const char *polymask_version(void);

/** Read POLYMASK_ISA, POLYMASK_STORES and OMP_NUM_THREADS again. The library reads them as it is
 *  used first, and not in each call: no program may change a variable while another of its threads
 *  reads one, unless its system says otherwise. */
POLYMASK_API void polymask_read_environment(void);

#ifdef __cplusplus
}
#endif

#endif
