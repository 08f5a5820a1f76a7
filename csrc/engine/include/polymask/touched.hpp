/** @file touched.hpp
 *  All pixels whose square a polygon touches with an edge, a vertex or its interior. Squares are
 *  those of coverage.hpp: centred on the samples, or from 0 to 1 with Options::center.
 *
 *  A pixel is touched if its square and the polygon have a point in common. The polygon consists of
 *  all points that are inside by the even-odd rule, and all points of its edges, including vertices
 *  and edges without area. Signs are exact for any finite vertices: nothing is rounded, there is no
 *  tolerance, and the direction of edges does not matter.
 *
 *  In this function, and in functions of many polygons, such as runs and labels, Options::touched
 *  determines whether squares include their borders. */
#pragma once

#include <cstdint>
#include <span>

#include "polymask/polymask.hpp"

namespace polymask
{

using TouchedOptions [[deprecated("use Options, and touched for squares")]] = Options;

/** Fills a mask of one byte per pixel: 1 where the polygon touches its square, 0 elsewhere.
 *
 *  The cost is about ten nanoseconds per row that an edge meets and a byte per pixel, in the
 *  calling thread; some tens of nanoseconds more if an edge crosses a border within rounding of a
 *  corner of squares, and microseconds if differences of coordinates are not exact there. Allocates
 *  56 bytes per edge, and sums of 512 KiB, or of one row if that is more.
 *  @param out      rows * cols bytes, C order; with Options::row_stride as for fill_mask.
 *  @param options  touched (default: Squares::closed), center, row_offset and column_offset
 *                  (|offset| + size is at most 2^50), out_is_zero, dirty and row_stride.
 *  @throws std::invalid_argument  as fill_mask does, and for offsets beyond 2^50. Nothing is
 *          written then.
 *  @throws std::bad_alloc  Nothing is written then, except in masks of more than 2^20 columns,
 *          which are filled in parts. */
POLYMASK_API void fill_touched(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                               std::span<std::uint8_t> out, const Options &options = {});

} // namespace polymask
