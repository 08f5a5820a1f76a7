/** @file polygons.hpp
 *  Many polygons in one view: the ragged arrays of GeoArrow and of shapely.to_ragged_array, with
 *  no object per polygon.
 *
 *  Three levels of offsets, each into the next array: features are made of polygons, polygons of
 *  rings, rings of vertices. A polygon is filled even-odd over its rings (outer rings and holes
 *  alike); a feature is the OR of its polygons, a MultiPolygon say. Features are what gets a label,
 *  a count, or runs. A polygon without rings and a feature without polygons are empty. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "polymask/config.hpp"

namespace polymask
{

/** Many polygons, ragged. A view: it owns nothing. Offsets never descend; they need not begin at 0
 *  nor reach the end of what they point into, so that a slice of longer arrays is a view, too. */
struct Polygons {
    /** x0, y0, x1, y1, ...: finite, in pixels. */
    std::span<const double> vertices;
    /** R + 1; ring r is vertices ring_offsets[r] .. ring_offsets[r + 1] - 1, at least 3 of them. In
     *  each the last joins the first; a closing vertex that repeats the first changes nothing. */
    std::span<const std::int64_t> ring_offsets;
    /** P + 1, into rings. Empty: a ring each. */
    std::span<const std::int64_t> polygon_offsets = {};
    /** F + 1, into polygons. Empty: a polygon each. */
    std::span<const std::int64_t> feature_offsets = {};

    /** Indices first .. end - 1. */
    struct Range {
        std::int64_t first, end;
        std::int64_t size() const noexcept { return end - first; }
    };

    std::int64_t rings() const noexcept { return length(ring_offsets); }
    std::int64_t polygons() const noexcept
    {
        return polygon_offsets.empty() ? rings() : length(polygon_offsets);
    }
    std::int64_t features() const noexcept
    {
        return feature_offsets.empty() ? polygons() : length(feature_offsets);
    }

    Range vertices_of(std::int64_t ring) const noexcept { return range(ring_offsets, ring); }
    Range rings_of(std::int64_t polygon) const noexcept
    {
        return polygon_offsets.empty() ? Range{polygon, polygon + 1}
                                       : range(polygon_offsets, polygon);
    }
    Range polygons_of(std::int64_t feature) const noexcept
    {
        return feature_offsets.empty() ? Range{feature, feature + 1}
                                       : range(feature_offsets, feature);
    }

  private:
    static std::int64_t length(std::span<const std::int64_t> offsets) noexcept
    {
        return offsets.empty() ? 0 : static_cast<std::int64_t>(offsets.size()) - 1;
    }
    static Range range(std::span<const std::int64_t> offsets, std::int64_t index) noexcept
    {
        const auto i = static_cast<std::size_t>(index);
        return {offsets[i], offsets[i + 1]};
    }
};

/** Checks what the functions that take Polygons ask for; they all begin with it. One pass over the
 *  arrays, no allocation.
 *  @throws std::invalid_argument  naming the first thing wrong: offsets that descend or leave what
 *          they point into, a ring of fewer than 3 vertices, a polygon of more than 2^30, a
 *          coordinate that is not finite (of any vertex, in a ring or not). */
POLYMASK_API void check(const Polygons &polygons);

} // namespace polymask
