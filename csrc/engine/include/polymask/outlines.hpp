/** @file outlines.hpp
 *  From pixels to polygons: the outlines of a mask, or of the regions in a label image.
 *
 *  Outlines run along the edges of pixels, so they are exact: filled with Grid::center, the
 *  rings of any mask give that mask again. Pixel [row, column] is the square from (column, row) to
 *  (column + 1, row + 1); x runs along a row, y down the rows.
 *
 *  A region is a set of pixels with the same label that are connected by their sides; its polygon
 *  has an outer ring and a ring for each hole. The vertices of a ring are only its corners; the
 *  last vertex joins the first and does not repeat it. By the shoelace formula, half the sum of
 *  x0 y1 - x1 y0, outer rings have a positive area and holes a negative one, which add up to the
 *  number of pixels: in an image, with y downwards, outer rings run clockwise and holes
 *  anticlockwise. No ring touches itself, and two rings share at most single points, where pixels
 *  meet at a corner, so all polygons are valid simple features (OGC).
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

#include "polymask/options.hpp"
#include "polymask/polygons.hpp"

namespace polymask::inline POLYMASK_ABI
{

/** The pixels with one label that form a region. */
enum class Connectivity {
    sides = 4, /**< pixels that share a side */
    /** Pixels that share a side or a corner. The polygon of a region then has an outer ring for
     *  each part that is connected by sides, followed by the holes in that part: the rings are the
     *  same as with `sides`, but in other groups. */
    corners = 8,
};

/** Options for tracing. The defaults are right for most callers. */
struct OutlineOptions {
    Connectivity connectivity = Connectivity::sides;
    bool center = true;             /**< corners are integers, to be filled with Grid::center;
                                         otherwise they are half a pixel up and to the left, to be
                                         filled without it */
    std::int64_t row_offset = 0;    /**< y of the first row, as in Grid */
    std::int64_t column_offset = 0; /**< x of the first column */
};

/** An image of integers of 1, 2, 4 or 8 bytes. A view: it owns no memory. */
struct LabelImage {
    /** @param elements    row after row, of any integer type.
     *  @param row_stride  elements from the start of a row to that of the next; 0 means `cols`. */
    template <std::ranges::contiguous_range Elements>
        requires std::ranges::sized_range<Elements> &&
                     std::integral<std::ranges::range_value_t<Elements>>
    LabelImage(const Elements &elements, Shape image_shape, std::int64_t stride = 0)
        : data(std::ranges::data(elements)), size(std::ranges::size(elements)),
          element_bytes(sizeof(std::ranges::range_value_t<Elements>)),
          has_sign(std::is_signed_v<std::ranges::range_value_t<Elements>>), shape(image_shape),
          row_stride(stride == 0 ? image_shape.cols : stride)
    {
    }

    /** For callers that know the type only at run time. Elements are aligned as their type is. */
    LabelImage(const void *elements, std::size_t count, int bytes_of_each, bool is_signed,
               Shape image_shape, std::int64_t stride) noexcept
        : data(elements), size(count), element_bytes(bytes_of_each), has_sign(is_signed),
          shape(image_shape), row_stride(stride)
    {
    }

    const void *data;
    std::size_t size;
    int element_bytes;
    bool has_sign;
    Shape shape;
    std::int64_t row_stride;
};

/** Polygons of one or more rings, ragged, as in GeoArrow. */
struct Outlines {
    std::vector<double> vertices;              /**< x0, y0, x1, y1, ... */
    std::vector<std::int64_t> ring_offsets;    /**< ring r has the vertices from ring_offsets[r]
                                                    to ring_offsets[r + 1] - 1 */
    std::vector<std::int64_t> polygon_offsets; /**< in the same way, the rings of a polygon: the
                                                    outer ring first, then its holes */
    std::vector<std::int64_t> labels;          /**< of each polygon; 1 for a mask. For unsigned
                                                    labels of 64 bits, their bits. */

    /** For functions that take many polygons; valid while this object exists and is unchanged. */
    Polygons view() const noexcept { return {vertices, ring_offsets, polygon_offsets}; }
};

/** Outlines that are traced but not written yet: the caller reads their size, and writes them into
 *  its own memory. Regions are in the order of their first pixels, row by row. */
class TracedOutlines
{
  public:
    /** Creates empty outlines, without polygons. */
    POLYMASK_API TracedOutlines() noexcept;
    POLYMASK_API TracedOutlines(TracedOutlines &&) noexcept;
    POLYMASK_API TracedOutlines &operator=(TracedOutlines &&) noexcept;
    POLYMASK_API ~TracedOutlines();

    POLYMASK_API std::int64_t vertices() const noexcept;
    POLYMASK_API std::int64_t rings() const noexcept;
    POLYMASK_API std::int64_t polygons() const noexcept;

    /** Writes everything, as described at the members of Outlines.
     *  @throws std::invalid_argument  unless the spans have 2 * vertices(), rings() + 1,
     *          polygons() + 1 and polygons() elements. Nothing is written then. */
    POLYMASK_API void write(std::span<double> vertices, std::span<std::int64_t> ring_offsets,
                            std::span<std::int64_t> polygon_offsets,
                            std::span<std::int64_t> labels) const;

    struct Parts;
    explicit TracedOutlines(std::unique_ptr<Parts> parts) noexcept;

  private:
    std::unique_ptr<Parts> parts_;
};

/** Traces the outlines of the pixels of a mask that are not 0.
 *
 *  Cost: one thread reads each pixel once, at about memory speed where neighbours are equal, and
 *  takes some tens of nanoseconds per corner. It allocates 16 bytes per corner of an outline (up to
 *  twice as much while the array grows, not all of it used), then 8 per corner, which are kept
 *  until they are written; 40 per ring, 20 per possible start of a region, and 64 to 80 per column.
 *  @throws std::invalid_argument  with the first error: a negative shape or more than 2^31 - 2
 *          rows or columns, a stride less than a row, a wrong number of elements, elements
 *          that are not aligned, an unknown connectivity, or an offset beyond 2^51.
 *  @throws std::length_error  for outlines of more than 2^32 - 2^16 corners: use windows.
 *  @throws std::bad_alloc  if memory cannot be allocated. */
[[nodiscard]] POLYMASK_API TracedOutlines trace_mask(const LabelImage &mask,
                                                     const OutlineOptions &options = {});

/** Traces the outlines of all regions in a label image in the same way.
 *  @param background  the label outside all regions; if none, all pixels belong to regions. For
 *          unsigned labels of 64 bits, its bits.
 *  @throws  as trace_mask does. */
[[nodiscard]] POLYMASK_API TracedOutlines trace_labels(const LabelImage &labels,
                                                       std::optional<std::int64_t> background = 0,
                                                       const OutlineOptions &options = {});

/** Returns the outlines of a mask in vectors: trace_mask and TracedOutlines::write. */
[[nodiscard]] POLYMASK_API Outlines mask_to_rings(const LabelImage &mask,
                                                  const OutlineOptions &options = {});

/** Returns the outlines of a label image in the same way. */
[[nodiscard]] POLYMASK_API Outlines labels_to_rings(const LabelImage &labels,
                                                    std::optional<std::int64_t> background = 0,
                                                    const OutlineOptions &options = {});

} // namespace polymask::inline POLYMASK_ABI
