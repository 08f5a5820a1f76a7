/** @file touched.hpp
 *  All pixels whose square a polygon touches, be it with an edge, a vertex or its inside. Squares
 * are those of coverage.hpp: centred on the samples, or with TouchedOptions::center from 0 to 1.
 *
 *  A pixel is touched when its square and the polygon have a point in common. The polygon is all
 *  points that are inside by the even-odd rule, and all points of its edges, vertices and edges
 *  without area included. Signs are exact for any finite vertices: nothing is rounded, there is no
 *  tolerance, and the direction of edges changes nothing.
 *
 *  Runs, labels and what else is made of many polygons take Options::touched instead. */
#pragma once

#include <cstdint>
#include <span>

#include "polymask/polymask.hpp"

namespace polymask
{

/** Which pixels. */
struct TouchedOptions {
    Squares squares = Squares::closed;
    bool center = false;            /**< the square of pixel (0, 0) reaches from 0 to 1 */
    std::int64_t row_offset = 0;    /**< of the first row; |offset| + size is at most 2^50 */
    std::int64_t column_offset = 0; /**< of the first column */
};

/** Fills a mask of one byte per pixel: 1 where the polygon touches its square, 0 elsewhere.
 *
 *  Costs some ten nanoseconds per row that an edge meets and a byte per pixel, on the calling
 * thread alone. Where an edge crosses a border within rounding of a corner of squares, some tens
 * more; microseconds where differences of coordinates are not exact there. Allocates 52 bytes per
 * edge, and sums of 512 KiB, or of one row if that is more.
 *  @param out  rows * cols bytes, C order; every byte is written.
 *  @throws std::invalid_argument  as fill_mask does, and for offsets beyond 2^50. Nothing is
 * written then.
 *  @throws std::bad_alloc  Nothing is written then, except in masks of more than 2^20 columns,
 * which are filled in parts. */
POLYMASK_API void fill_touched(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                               std::span<std::uint8_t> out, const TouchedOptions &options = {});

} // namespace polymask
