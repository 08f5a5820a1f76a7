/** @file coverage.hpp
 *  Fractions: the part of each pixel's square that a polygon covers.
 *
 *  The square of a pixel is centred on its sample (polymask.hpp): the square of sample (x, y)
 *  reaches from (x - 0.5, y - 0.5) to (x + 0.5, y + 0.5). With Options::center, it reaches from
 *  (column, row) to (column + 1, row + 1).
 *
 *  These functions use only the options center, row_offset and column_offset (|offset| + size is at
 *  most 2^50), out_is_zero, row_stride and instruction_set; coverage() also dirty.
 *
 *  Several threads may call every function at the same time if the outputs do not overlap. Each
 *  call runs in the calling thread; windows can distribute the rows to threads. */
#pragma once

#include <cstdint>
#include <span>

#include "polymask/polymask.hpp"

namespace polymask
{

using CoverageOptions [[deprecated("use Options")]] = Options;

/** Computes the area of each pixel's square that the polygon covers, 0 to 1.
 *
 *  Areas are summed as integers in units of 2^-31 of a square. A square without an edge is
 *  therefore exactly 0 or 1, a window equals its part of the whole bit for bit, and polygons that
 *  share edges, in any direction, sum to one before each is rounded to float. The error of an edge
 *  in a square is less than 2^-30, or 2^-50 of its largest coordinate if that is larger.
 *
 *  Rings may run in any direction: those inside an odd number of others are holes. Where rings
 *  cross themselves or each other, a square is exact if at most two neighbouring windings (such as
 *  outside and once) meet in it; any other square has the fold of its mean winding, between 0 and
 *  1. For such squares, use coverage_samples().
 *
 *  The cost is a few nanoseconds per row that an edge crosses, one per further column, and a store
 *  per pixel. Allocates 88 bytes per edge, 76 per ring if there are several, and sums of 512 KiB,
 *  or of one row if that is more.
 *  @param out  rows * cols floats, C order; with Options::row_stride as for fill_mask.
 *  @throws std::invalid_argument  as fill_mask does, and for offsets beyond 2^50. Nothing is
 *          written then.
 *  @throws std::runtime_error  if the instruction set (or POLYMASK_ISA) is unavailable. Nothing is
 *          written then.
 *  @throws std::bad_alloc  Nothing is written then, except in masks of more than 2^20 columns,
 *          which are filled in parts. */
POLYMASK_API void coverage(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                           std::span<float> out, const Options &options = {});

/** Adds the area of each pixel's square that the polygon covers to `out`, without rounding: for an
 *  image of several polygons that is rounded once. Up to 2^22 polygons add up exactly.
 *
 *  Options::out_is_zero has no effect.
 *  @param out  rows * cols doubles, as for coverage().
 *  @throws  as coverage() does. */
POLYMASK_API void add_coverage(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                               std::span<double> out, const Options &options = {});

constexpr int max_subpixels = 32; /**< the maximum for coverage_samples, along a side */

/** Computes the share of `subpixels` x `subpixels` samples in each square that are inside by the
 *  even-odd rule of fill_mask, for any polygon. Sample k along a side is (k + 0.5) / subpixels from
 *  the beginning of the square. Coordinates are multiplied by `subpixels`: exactly for a power of
 *  two, otherwise with one rounding each.
 *
 *  The cost is a mask of subpixels^2 samples per pixel, in parts, and a nanosecond per pixel and
 *  row of samples. Allocates 16 bytes per vertex, the memory of fill_mask, and bits of 1 MiB, or of
 *  one row if that is more.
 *  @throws  as coverage() does; also for subpixels outside 1 .. max_subpixels, and for coordinates
 *           and windows that are out of range after the multiplication. */
POLYMASK_API void coverage_samples(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                                   int subpixels, std::span<float> out,
                                   const Options &options = {});

} // namespace polymask
