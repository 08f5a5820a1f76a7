/** @file crops.hpp
 *  Masks of many polygons, each in its own box: a stack of whole masks, or masks cropped to their
 *  pixels.
 *
 *  Conventions, exactness, errors and work memory are those of runs.hpp; the bytes of a
 *  mask are 1 inside and 0 outside. */
#pragma once

#include <cstdint>
#include <span>

#include "polymask/polygons.hpp"
#include "polymask/polymask.hpp"

namespace polymask::inline POLYMASK_ABI
{

/** Fills masks of polygons, of which it is a view. The constructor checks them once, so that many
 *  calls may each process a few features. */
class MaskCropper
{
  public:
    /** @param grid  that of the image that contains the boxes. */
    POLYMASK_API MaskCropper(const Polygons &polygons, const Grid &grid,
                             const Selection &selection = {}, const Work &work = {});

    /** Writes one box per feature, the smallest that contains its pixels, or Box{} if there are
     *  none. The cost is that of the runs. */
    POLYMASK_API void boxes(std::span<Box> out) const;

    /** Fills the masks of features first, first + 1, ..., one per box, one after the other: each
     *  is the part of its feature's mask in its box, row by row.
     *  @param out  as many bytes as the boxes have pixels; all are written, except zeros if
     *              `out_is_zero`: if it contains only zeros.
     *  @throws std::invalid_argument  for a box outside the image, a feature that does not exist,
     *          or a wrong size of `out`. Nothing is written then.
     *  Threads share the features, or the rows if there are few features. */
    POLYMASK_API void fill(std::int64_t first, std::span<const Box> boxes,
                           std::span<std::uint8_t> out, bool out_is_zero = false) const;

  private:
    Polygons polygons_;
    Grid grid_;
    Selection selection_;
    Work work_;
};

} // namespace polymask::inline POLYMASK_ABI
