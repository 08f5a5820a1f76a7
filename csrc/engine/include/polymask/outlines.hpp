/** @file outlines.hpp
 *  Back from pixels to polygons: the outlines of a mask, or of the regions of a label image.
 *
 *  Outlines run along the edges of pixels, so they are exact: filled with Options::center, the
 *  rings of a mask give that mask again, whatever it is. Pixel [row, column] is the square
 *  from (column, row) to (column + 1, row + 1); x runs along a row, y down the rows.
 *
 *  A region is a set of pixels of one label that are connected by their sides; its polygon has an
 *  outer ring and a ring for each hole. A ring's vertices are its corners alone, its last vertex
 *  joins its first and does not repeat it. By the shoelace formula, half the sum of
 *  x0 y1 - x1 y0, outer rings have a positive area and holes a negative one, which add up to the
 *  number of pixels: outer rings run clockwise as one sees an image, with y downwards, holes
 *  anticlockwise. No ring touches itself, and two rings share single points at most, where pixels
 *  meet at a corner: so all polygons are valid by OGC's simple features.
 */
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

#include "polymask/polygons.hpp"

namespace polymask
{

/** Which pixels of one label make a region. */
enum class Connectivity {
    sides = 4, /**< those that share a side */
    /** Those that share a side or a corner. A region's polygon then has an outer ring for each of
     *  its parts that hang together by sides, and behind each that part's holes: the rings are the
     *  same as with `sides`, and only grouped anew. */
    corners = 8,
};

/** How to trace. The defaults are right for most callers. */
struct OutlineOptions {
    Connectivity connectivity = Connectivity::sides;
    bool center = true;             /**< corners at whole numbers, to be filled with
                                         Options::center; else half a pixel up and to the left, to
                                         be filled without */
    std::int64_t row_offset = 0;    /**< y of the first row, as in Options */
    std::int64_t column_offset = 0; /**< x of the first column */
};

/** An image of whole numbers of 1, 2, 4 or 8 bytes. A view: it owns nothing. */
struct LabelImage {
    /** @param elements    row after row, of any type of integers.
     *  @param row_stride  elements from the beginning of a row to that of the next; 0: `cols`. */
    template <std::ranges::contiguous_range Elements>
        requires std::ranges::sized_range<Elements> &&
                     std::integral<std::ranges::range_value_t<Elements>>
    LabelImage(const Elements &elements, std::int64_t image_rows, std::int64_t image_cols,
               std::int64_t stride = 0)
        : data(std::ranges::data(elements)), size(std::ranges::size(elements)),
          element_bytes(sizeof(std::ranges::range_value_t<Elements>)),
          has_sign(std::is_signed_v<std::ranges::range_value_t<Elements>>), rows(image_rows),
          cols(image_cols), row_stride(stride == 0 ? image_cols : stride)
    {
    }

    /** For callers that know the type only as they run. */
    LabelImage(const void *elements, std::size_t count, int bytes_of_each, bool is_signed,
               std::int64_t image_rows, std::int64_t image_cols, std::int64_t stride) noexcept
        : data(elements), size(count), element_bytes(bytes_of_each), has_sign(is_signed),
          rows(image_rows), cols(image_cols), row_stride(stride)
    {
    }

    const void *data;
    std::size_t size;
    int element_bytes;
    bool has_sign;
    std::int64_t rows, cols, row_stride;
};

/** Polygons of one ring or more, ragged, as in GeoArrow. */
struct Outlines {
    std::vector<double> vertices;              /**< x0, y0, x1, y1, ... */
    std::vector<std::int64_t> ring_offsets;    /**< ring r is vertices ring_offsets[r] up to
                                                    ring_offsets[r + 1] */
    std::vector<std::int64_t> polygon_offsets; /**< likewise, the rings of a polygon: an outer one
                                                    first, its holes after it */
    std::vector<std::int64_t> labels;          /**< of each polygon; 1 for a mask. Labels of 64
                                                    bits without a sign: their bits. */

    /** For the functions that take many polygons; valid as long as this is and does not change. */
    Polygons view() const noexcept { return {vertices, ring_offsets, polygon_offsets}; }
};

/** Outlines that are traced, but not written yet: the caller learns how large they are, and writes
 *  them into memory of its own. Regions come in the order of their first pixels, row by row. */
class TracedOutlines
{
  public:
    /** Nothing: no polygon. */
    POLYMASK_API TracedOutlines() noexcept;
    POLYMASK_API TracedOutlines(TracedOutlines &&) noexcept;
    POLYMASK_API TracedOutlines &operator=(TracedOutlines &&) noexcept;
    POLYMASK_API ~TracedOutlines();

    POLYMASK_API std::int64_t vertices() const noexcept;
    POLYMASK_API std::int64_t rings() const noexcept;
    POLYMASK_API std::int64_t polygons() const noexcept;

    /** Writes all of it; the members of Outlines say what.
     *  @throws std::invalid_argument  when a span has not 2 * vertices(), rings() + 1,
     *          polygons() + 1 or polygons() elements. Nothing is written then. */
    POLYMASK_API void write(std::span<double> vertices, std::span<std::int64_t> ring_offsets,
                            std::span<std::int64_t> polygon_offsets,
                            std::span<std::int64_t> labels) const;

    struct Parts;
    explicit TracedOutlines(std::unique_ptr<Parts> parts) noexcept;

  private:
    std::unique_ptr<Parts> parts_;
};

/** Traces the outlines of a mask: of its pixels that are not 0.
 *
 *  Cost: one thread reads each pixel once, at about the speed of memory where neighbours are alike,
 *  and takes some tens of nanoseconds per corner. It allocates 16 bytes for each corner of an
 *  outline (up to twice as much, not all of it touched, as it grows), then 8 for each, which are
 *  kept until they are written; 40 for each ring, 20 for each place where a region may have begun,
 *  and 64 to 80 for each column.
 *  @throws std::invalid_argument  naming the first thing wrong: a negative shape or more than
 *          2^31 - 2 rows or columns, a stride less than a row, a wrong number of elements, an
 *          offset beyond 2^51.
 *  @throws std::length_error  for outlines of more than 2^32 - 2^16 corners: take windows.
 *  @throws std::bad_alloc  when memory cannot be had. */
[[nodiscard]] POLYMASK_API TracedOutlines trace_mask(const LabelImage &mask,
                                                     const OutlineOptions &options = {});

/** Traces the outlines of all regions of a label image, likewise.
 *  @param background  what is outside of every region; none: all pixels belong to regions. Of
 *          labels of 64 bits without a sign: its bits.
 *  @throws  as trace_mask does. */
[[nodiscard]] POLYMASK_API TracedOutlines trace_labels(const LabelImage &labels,
                                                       std::optional<std::int64_t> background = 0,
                                                       const OutlineOptions &options = {});

/** The outlines of a mask, in vectors: trace_mask and TracedOutlines::write. */
[[nodiscard]] POLYMASK_API Outlines mask_to_rings(const LabelImage &mask,
                                                  const OutlineOptions &options = {});

/** The outlines of a label image, likewise. */
[[nodiscard]] POLYMASK_API Outlines labels_to_rings(const LabelImage &labels,
                                                    std::optional<std::int64_t> background = 0,
                                                    const OutlineOptions &options = {});

} // namespace polymask
