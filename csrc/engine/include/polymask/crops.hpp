/** @file crops.hpp
 *  Masks of many polygons, each in a box of its own: a stack of whole masks, or each cropped to its
 *  pixels.
 *
 *  Conventions, options, exactness, errors and work memory are those of runs.hpp; a mask's bytes
 * are 1 inside, 0 outside. */
#pragma once

#include <cstdint>
#include <span>

#include "polymask/polygons.hpp"
#include "polymask/polymask.hpp"

namespace polymask
{

/** Makes masks of some polygons, which it only views. They are checked once, when it is made, so
 *  that many calls may each take a few features. */
class MaskCropper
{
  public:
    /** @param rows, cols  of the image in which boxes lie. */
    POLYMASK_API MaskCropper(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                             const Options &options = {});

    /** Writes the smallest box that holds a feature's pixels, one per feature; of one without
     *  pixels it is Box{}. Costs what the runs cost. */
    POLYMASK_API void boxes(std::span<Box> out) const;

    /** Fills the masks of features first, first + 1, ..., one per box, one behind the other: each
     * is the part of its feature's mask in its box, row by row.
     *  @param out  as many bytes as the boxes have pixels; all are written, with
     *              Options::out_is_zero but the zeros.
     *  @throws std::invalid_argument  for a box that leaves the image, features that are not there,
     *          a wrong size of `out`. Nothing is written then.
     *  Threads share the features, or where these are few their rows. */
    POLYMASK_API void fill(std::int64_t first, std::span<const Box> boxes,
                           std::span<std::uint8_t> out) const;

  private:
    Polygons polygons_;
    std::int64_t rows_, cols_;
    Options options_;
};

} // namespace polymask
