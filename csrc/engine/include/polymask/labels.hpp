/** @file labels.hpp
 *  Images of labels: many polygons painted into one raster, each with a number of its own, exactly
 *  the pixels of their masks. The order of painting is defined, and the image the same with any
 *  number of threads; images of windows equal their part of the whole.
 *
 *  Conventions, options and exactness are those of polymask.hpp; features are those of
 *  polygons.hpp. The cost is that of the runs (runs.hpp), and of writing them. */
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "polymask/polygons.hpp"
#include "polymask/polymask.hpp"

namespace polymask
{

/** Which feature shows where some overlap. */
enum class OnTop {
    last,  /**< the one that comes later */
    first, /**< the one that comes earlier */
    /** The one of smaller area; of equal ones the one that comes later. The area is that of the
     *  vertices, not of the pixels, so that it does not depend on the window: of a polygon its
     * first ring's without its other rings', of a feature the sum of its polygons'. It is computed
     * in binary64, exactly for whole numbers below 2^25. */
    smallest,
};

/** What is painted. T is one of the integers of 8 to 64 bits, float or double. */
template <class T> struct Labels {
    std::span<const T> of_features = {}; /**< one per feature; empty: 1, 2, 3, ..., of integers */
    T background = 0;                    /**< of pixels in no feature */
    bool keeps_background = false;       /**< those pixels are left as they are */
    bool adds = false;                   /**< a pixel is not the label of the feature on top, but
                                              what was there, or the background, and the labels of
                                              all its features, added one by one in the order of
                                              painting; of integers modulo 2^bits */
};

/** Paints features into an image of labels. Made once for some polygons, which it only views; the
 *  image is painted tile by tile, in any pieces.
 *
 *  Memory: 40 bytes a feature, 4 a feature and tile that its box meets (tiles grow with the
 * features, so that these are few), and for each thread at work that of runs.hpp. It is all
 * allocated here, except the last. */
class LabelPainter
{
  public:
    /** @throws std::invalid_argument  naming the first thing wrong, as fill_mask does; more than
     *          2^32 - 1 features.
     *  @throws std::runtime_error, std::bad_alloc  as fill_mask does. */
    POLYMASK_API LabelPainter(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                              OnTop on_top = OnTop::last, const Options &options = {});
    POLYMASK_API LabelPainter(LabelPainter &&) noexcept;
    POLYMASK_API LabelPainter &operator=(LabelPainter &&) noexcept;
    POLYMASK_API ~LabelPainter();

    /** The tiles of the image are numbered from 0. */
    POLYMASK_API std::int64_t tiles() const noexcept;

    /** Paints the tiles first .. end - 1, by Options::threads threads.
     *  @param out  rows * cols labels, C order, at any alignment of T; more of them with
     *              Options::row_stride, as for fill_mask. With Options::out_is_zero
     *              and background 0 pixels in no feature are not written.
     *  @throws std::invalid_argument  for a wrong size of `out` or of the labels, tiles that are
     * not there, more features than T counts where no labels are given. Nothing is written then.
     *  @throws std::bad_alloc  when a thread's work memory cannot be had: some tiles may be painted
     *          then. */
    template <class T>
    POLYMASK_API void paint(const Labels<T> &labels, std::span<T> out, std::int64_t first,
                            std::int64_t end) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/** Paints all of an image of labels.
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
