/** @file labels.hpp
 *  Images of labels: many polygons painted into one raster, each with its own number, exactly in
 *  the pixels of its mask. The order of painting is defined, so the image does not depend on the
 *  number of threads; an image of a window equals that part of the whole.
 *
 *  Conventions, options and exactness are those of polymask.hpp; features are those of
 *  polygons.hpp. The cost is that of the runs (runs.hpp) and of writing them. */
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "polymask/polygons.hpp"
#include "polymask/polymask.hpp"

namespace polymask
{

/** The feature that is visible where several overlap. */
enum class OnTop {
    last,  /**< the last one */
    first, /**< the first one */
    /** The one with the smallest area, or the last of several. The area is that of the vertices,
     *  not of the pixels, so that it does not depend on the window: the area of a polygon is that
     *  of its first ring minus those of its other rings, and the area of a feature is the sum over
     *  its polygons. It is computed in binary64, exactly for integers below 2^25. */
    smallest,
};

/** The values to paint. T is an integer of 8 to 64 bits, float or double. */
template <class T> struct Labels {
    std::span<const T> of_features = {}; /**< one per feature; if empty, 1, 2, 3, ... as integers */
    T background = 0;                    /**< the value of pixels in no feature */
    bool keeps_background = false;       /**< leave those pixels unchanged */
    bool adds = false;                   /**< a pixel is not the label of the feature on top, but
                                              the sum of its old value, or the background, and the
                                              labels of all its features, added in the order of
                                              painting; integers are added modulo 2^bits */
};

/** Paints features into an image of labels. Constructed once for polygons, of which it is a view;
 *  the image is painted tile by tile, in any order of parts.
 *
 *  Memory: 40 bytes per feature, 4 per feature and tile that its box meets (tiles grow with the
 *  features, so that there are few), and per working thread the memory of runs.hpp and 50 KB.
 *  Everything except the last is allocated in the constructor. */
class LabelPainter
{
  public:
    /** @throws std::invalid_argument  with the first error, as fill_mask does; also for more than
     *          2^32 - 1 features.
     *  @throws std::runtime_error, std::bad_alloc  as fill_mask does. */
    POLYMASK_API LabelPainter(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                              OnTop on_top = OnTop::last, const Options &options = {});
    POLYMASK_API LabelPainter(LabelPainter &&) noexcept;
    POLYMASK_API LabelPainter &operator=(LabelPainter &&) noexcept;
    POLYMASK_API ~LabelPainter();

    /** The tiles of the image are numbered from 0. */
    POLYMASK_API std::int64_t tiles() const noexcept;

    /** Paints the tiles first .. end - 1 with Options::threads threads.
     *  @param out  rows * cols labels, C order, at any alignment of T; more of them with
     *              Options::row_stride, as for fill_mask. With Options::out_is_zero
     *              and background 0, pixels in no feature are not written.
     *  @throws std::invalid_argument  for a wrong size of `out` or of the labels, tiles that do not
     *          exist, or, without labels, more features than T can count. Nothing is written then.
     *  @throws std::bad_alloc  if a thread cannot allocate work memory: some tiles may be painted
     *          then. */
    template <class T>
    POLYMASK_API void paint(const Labels<T> &labels, std::span<T> out, std::int64_t first,
                            std::int64_t end) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/** Paints a whole image of labels.
 *  @throws  as LabelPainter does. */
template <class T>
void fill_labels(const Polygons &polygons, const Labels<T> &labels, std::int64_t rows,
                 std::int64_t cols, std::span<T> out, OnTop on_top = OnTop::last,
                 const Options &options = {})
{
    const LabelPainter painter(polygons, rows, cols, on_top, options);
    painter.paint(labels, out, 0, painter.tiles());
}

} // namespace polymask
