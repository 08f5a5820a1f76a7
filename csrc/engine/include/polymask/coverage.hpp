/** @file coverage.hpp
 *  Fractions: how much of each pixel's square a polygon covers.
 *
 *  The square of a pixel is centred on its sample (polymask.hpp): that of sample (x, y) reaches
 *  from (x - 0.5, y - 0.5) to (x + 0.5, y + 0.5). With Options::center the samples are themselves
 *  centres, and the square reaches from (column, row) to (column + 1, row + 1).
 *
 *  Of Options these functions use center, row_offset and column_offset (|offset| + size is at most
 *  2^50), out_is_zero, row_stride and instruction_set.
 *
 *  Every function may be called from many threads at once, as long as outputs do not overlap. Each
 *  uses the calling thread alone; rows may be shared among threads by windows. */
#pragma once

#include <cstdint>
#include <span>

#include "polymask/polymask.hpp"

namespace polymask
{

using CoverageOptions [[deprecated("use Options")]] = Options;

/** The area of each pixel's square that the polygon covers, 0 to 1.
 *
 *  Areas are summed as whole numbers in units of 2^-31 of a square. So a square without an edge is
 *  exactly 0 or 1, a window equals its part of the whole to the bit, and polygons that share their
 *  edges, in whatever direction, sum to one before each is rounded to float. An edge errs in a
 *  square by less than 2^-30, and by 2^-50 of its largest coordinate where that is more.
 *
 *  Rings may run in any direction: those inside an odd number of others are holes. Where rings
 *  cross themselves or each other, a square is exact as long as at most two neighbouring windings
 *  (outside and once, say) meet in it; another square holds the fold of its mean winding, between
 *  0 and 1. For those there is coverage_samples().
 *
 *  Costs a few nanoseconds per row that an edge crosses and one per further column, and a store per
 *  pixel. Allocates 84 bytes per edge, 36 per ring if there are more than one, and sums of 512 KiB,
 *  or of one row if that is more.
 *  @param out  rows * cols floats, C order; with Options::row_stride as for fill_mask.
 *  @throws std::invalid_argument  as fill_mask does, and for offsets beyond 2^50. Nothing is
 *          written then.
 *  @throws std::runtime_error  when the instruction set (or POLYMASK_ISA) is not here. Nothing is
 *          written then.
 *  @throws std::bad_alloc  Nothing is written then, except in masks of more than 2^20 columns,
 *          which are filled in parts. */
POLYMASK_API void coverage(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                           std::span<float> out, const Options &options = {});

/** Adds the area of each pixel's square that the polygon covers to `out`, where it is not rounded:
 *  for polygons of which one image is made, rounded once. Up to 2^22 of them add up exactly.
 *
 *  Options::out_is_zero changes nothing.
 *  @param out  rows * cols doubles, likewise.
 *  @throws  as coverage() does. */
POLYMASK_API void add_coverage(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                               std::span<double> out, const Options &options = {});

constexpr int max_subpixels = 32; /**< of coverage_samples, along a side */

/** The share of `subpixels` x `subpixels` samples of each square that lie inside, by the even-odd
 *  rule of fill_mask, for any polygon. Sample k along a side lies (k + 0.5) / subpixels behind the
 *  square's beginning. Coordinates are multiplied by `subpixels`: exactly if that is a power of
 *  two, else each is rounded once.
 *
 *  Costs a mask of subpixels^2 samples per pixel, in parts, and a nanosecond per row of samples and
 *  pixel. Allocates 16 bytes per vertex, what fill_mask does, and bits of 1 MiB, or of one row if
 *  that is more.
 *  @throws  as coverage() does; for subpixels that are not 1 .. max_subpixels; for coordinates and
 *           windows that leave their range when they are multiplied. */
POLYMASK_API void coverage_samples(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                                   int subpixels, std::span<float> out,
                                   const Options &options = {});

} // namespace polymask
