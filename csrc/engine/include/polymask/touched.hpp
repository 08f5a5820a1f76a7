/** @file touched.hpp
 *  All pixels whose square a polygon touches, be it with an edge, a vertex or its inside. Squares
 * are those of coverage.hpp: centred on the samples, or with Options::center from 0 to 1.
 *
 *  A pixel is touched when its square and the polygon have a point in common. The polygon is all
 *  points that are inside by the even-odd rule, and all points of its edges, vertices and edges
 *  without area included. Signs are exact for any finite vertices: nothing is rounded, there is no
 *  tolerance, and the direction of edges changes nothing.
 *
 *  Here, and where runs, labels and other results are made of many polygons, Options::touched says
 *  whether squares have their borders. */
#pragma once

#include <cstdint>
#include <span>

#include "polymask/polymask.hpp"

namespace polymask
{

using TouchedOptions [[deprecated("use Options, and touched for squares")]] = Options;

/** Fills a mask of one byte per pixel: 1 where the polygon touches its square, 0 elsewhere.
 *
 *  Costs some ten nanoseconds per row that an edge meets and a byte per pixel, on the calling
 * thread alone. Where an edge crosses a border within rounding of a corner of squares, some tens
 * more; microseconds where differences of coordinates are not exact there. Allocates 52 bytes per
 * edge, and sums of 512 KiB, or of one row if that is more.
 *  @param out      rows * cols bytes, C order; with Options::row_stride as for fill_mask.
 *  @param options  touched (none: Squares::closed), center, row_offset and column_offset
 *                  (|offset| + size is at most 2^50), out_is_zero and row_stride.
 *  @throws std::invalid_argument  as fill_mask does, and for offsets beyond 2^50. Nothing is
 *          written then.
 *  @throws std::bad_alloc  Nothing is written then, except in masks of more than 2^20 columns,
 *          which are filled in parts. */
POLYMASK_API void fill_touched(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                               std::span<std::uint8_t> out, const Options &options = {});

} // namespace polymask
