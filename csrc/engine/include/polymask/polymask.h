/** @file polymask.h
 *  Exact polygon masks for programs in C (C99), and for languages that call C: masks, points and
 *  fractions of one polygon; labels, counts, runs, boxes and crops of many; and outlines of images.
 *  The other headers, for C++, have more functions; those in this header call the same code.
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
 *  The caller provides the memory of all outputs. If it cannot know their size, it calls a function
 *  twice. In the first call the array that divides the output, `ends` or `ring_offsets`, is NULL:
 *  only the counts are written, for which the caller then provides memory. In the second call each
 *  count is the room in its arrays, and becomes the number of elements written. If there is too
 *  little room, the result is POLYMASK_TOO_SMALL, and only the required counts are written. A
 *  caller that keeps its arrays needs no first call.
 *
 *  Several threads may call every function at the same time if the outputs do not overlap. All
 *  functions are safe after fork. */
#ifndef POLYMASK_POLYMASK_H
#define POLYMASK_POLYMASK_H

#include <stddef.h>
#include <stdint.h>

#include "polymask/c_options.h"
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
                                     perhaps outputs for some of many polygons, and parts of images
                                     of more than 2^20 columns or 2^30 rows */
    POLYMASK_INTERRUPTED = 4,   /**< stopped by a caller that uses interruption.hpp in C++; the
                                     output is written in part */
    POLYMASK_FAILED = 5,        /**< any other exception; the output may be written in part */
    POLYMASK_TOO_SMALL = 6,     /**< too little room; only the required counts were written */
};

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

/** Many polygons, ragged, as in GeoArrow: three levels of offsets, each into the next array.
 *  Features consist of polygons, polygons of rings, rings of vertices; labels belong to features.
 *  A view: it owns no memory. Offsets never decrease; they need not begin at 0. */
typedef struct polymask_polygons {
    const double *vertices; /**< x0, y0, x1, y1, ...: finite, in pixels */
    size_t vertex_count;
    const int64_t *ring_offsets; /**< ring_count + 1: ring r has at least 3 vertices, from
                                      ring_offsets[r] to ring_offsets[r + 1] - 1 */
    size_t ring_count;
    const int64_t *polygon_offsets; /**< polygon_count + 1, into rings. NULL with polygon_count 0:
                                         each polygon has one ring */
    size_t polygon_count;
    const int64_t *feature_offsets; /**< feature_count + 1, into polygons. NULL with feature_count
                                         0: each feature has one polygon */
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

/** Counts the pixels of each feature's mask, without storing runs.
 *  @param counts  count_size numbers, one per feature.
 *  @param polygons, options, error, return  as in polymask_fill_labels. */
POLYMASK_API int polymask_pixel_counts(const polymask_polygons *polygons, int64_t rows,
                                       int64_t cols, int64_t *counts, size_t count_size,
                                       const polymask_options *options, char *error);

/** Exact sums over the pixels of a feature, whose rows and columns are counted from the first of
 *  the window. The centroid is (rows / pixels + row_offset, columns / pixels + column_offset), plus
 *  0.5 each with `center`. */
typedef struct polymask_sums {
    int64_t pixels, rows, columns;
} polymask_sums;

/** Computes these sums in the same way, one element per feature, in windows in which they cannot
 *  exceed 63 bits, such as 2^20 x 2^20. */
POLYMASK_API int polymask_pixel_sums(const polymask_polygons *polygons, int64_t rows, int64_t cols,
                                     polymask_sums *sums, size_t sum_count,
                                     const polymask_options *options, char *error);

/** Writes the runs of each feature: the pixels starts[i] to stops[i] - 1 of row run_rows[i]. They
 *  are sorted by feature, row and start; runs in the same row never overlap or touch. The cost is a
 *  few nanoseconds per crossing of an edge with a row, and that of a first call is a small part of
 *  it.
 *  @param ends       end_count numbers, one per feature: the end of its runs, which begin at the
 *                    previous end, or at 0. NULL: only run_count is written.
 *  @param run_rows, starts, stops  the runs, in three arrays of *run_count elements each.
 *  @param run_count  not NULL; in: the room; out: the number of runs. If `ends` is NULL or the room
 *                    is too small, an upper limit of this number, which suffices.
 *  @param polygons, options, error, return  as in polymask_fill_labels. */
POLYMASK_API int polymask_label_runs(const polymask_polygons *polygons, int64_t rows, int64_t cols,
                                     int64_t *ends, size_t end_count, int32_t *run_rows,
                                     int32_t *starts, int32_t *stops, size_t *run_count,
                                     const polymask_options *options, char *error);

/** Rows top to bottom - 1 and columns left to right - 1. */
typedef struct polymask_box {
    int64_t top, bottom, left, right;
} polymask_box;

/** Writes the smallest box that contains the pixels of each feature's mask; zeros if there are
 * none.
 *  @param boxes  box_count elements, one per feature.
 *  @param polygons, options, error, return  as in polymask_fill_labels. */
POLYMASK_API int polymask_boxes(const polymask_polygons *polygons, int64_t rows, int64_t cols,
                                polymask_box *boxes, size_t box_count,
                                const polymask_options *options, char *error);

/** Fills the masks of the first box_count features, each in its box, one after the other, each row
 *  by row.
 *  @param boxes  inside the image of rows x cols pixels; those of polymask_boxes, or any others.
 *  @param out    out_size bytes, as many as the boxes have pixels: 1 inside, 0 outside.
 *  @param polygons, options, error, return  as in polymask_fill_labels. */
POLYMASK_API int polymask_fill_crops(const polymask_polygons *polygons, int64_t rows, int64_t cols,
                                     const polymask_box *boxes, size_t box_count, uint8_t *out,
                                     size_t out_size, const polymask_options *options, char *error);

/** Outlines of an image that are traced but not written yet, in memory of the library. */
typedef struct polymask_outlines polymask_outlines;

/** Traces the outlines of the pixels of a mask that are not 0. They run along the edges of pixels,
 *  so that the polygons, filled with the same offsets and `center`, give the mask again. The
 *  polygon of a region, whose pixels are connected by their sides, is an outer ring and its holes.
 *  outlines.hpp has the details.
 *  @param mask      mask_size bytes: rows * cols, or more with `row_stride`.
 *  @param outlines  not NULL; *outlines is for polymask_write_outlines and must be freed with
 *                   polymask_free_outlines. NULL if the function fails.
 *  @param options, error, return  as in polymask_fill_mask. */
POLYMASK_API int polymask_trace_mask(const uint8_t *mask, size_t mask_size, int64_t rows,
                                     int64_t cols, polymask_outlines **outlines,
                                     const polymask_options *options, char *error);

/** Traces the outlines of all regions of equal labels, except `background`, in the same way. */
POLYMASK_API int polymask_trace_labels(const int32_t *labels, size_t label_count, int64_t rows,
                                       int64_t cols, polymask_outlines **outlines,
                                       const polymask_options *options, char *error);

/** Writes polygons as in polymask_polygons: those of a mask, or one per region with its label.
 *  @param outlines  not NULL.
 *  @param vertices, ring_offsets, polygon_offsets  arrays of 2 * *vertex_count, *ring_count + 1 and
 *                   *polygon_count + 1 elements. ring_offsets NULL: only the counts are written.
 *  @param labels    *polygon_count numbers; NULL: they are not written.
 *  @param vertex_count, ring_count, polygon_count  not NULL; in: the room; out: the exact numbers.
 *  @param error, return  as in polymask_fill_mask. */
POLYMASK_API int polymask_write_outlines(const polymask_outlines *outlines, double *vertices,
                                         size_t *vertex_count, int64_t *ring_offsets,
                                         size_t *ring_count, int64_t *polygon_offsets,
                                         size_t *polygon_count, int32_t *labels, char *error);

/** Frees outlines, which may be NULL. */
POLYMASK_API void polymask_free_outlines(polymask_outlines *outlines);

/** Returns the version of the linked library; POLYMASK_VERSION is that of the headers. */
POLYMASK_API const char *polymask_version(void);

/** Returns it as a number, such as 10203 for 1.2.3; POLYMASK_VERSION_NUMBER is that of the headers.
 */
POLYMASK_API int32_t polymask_version_number(void);

/** Reads POLYMASK_ISA, POLYMASK_STORES and OMP_NUM_THREADS again. The library reads them when it is
 *  first used, not in each call: on most systems, a program must not change a variable while
 *  another thread reads one. */
POLYMASK_API void polymask_read_environment(void);

#ifdef __cplusplus
}
#endif

#endif
