/** @file polygons.hpp
 *  Many polygons in one view: the ragged arrays of GeoArrow and of shapely.to_ragged_array, with
 *  no object per polygon.
 *
 *  There are three levels of offsets, each into the next array: features consist of polygons,
 *  polygons of rings, rings of vertices. A polygon is filled even-odd over its rings (both outer
 *  rings and holes); a feature, such as a MultiPolygon, is the OR of its polygons. Labels, counts
 *  and runs belong to features. Polygons without rings and features without polygons are empty. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "polymask/config.hpp"

namespace polymask::inline POLYMASK_ABI
{

/** Many polygons, ragged. A view: it owns no memory. Offsets never decrease; they need not begin at
 *  0 or reach the end of the next array, so that a slice of longer arrays is also a view. */
struct Polygons {
    /** x0, y0, x1, y1, ...: finite, in pixels. */
    std::span<const double> vertices;
    /** R + 1; ring r has at least 3 vertices, ring_offsets[r] .. ring_offsets[r + 1] - 1. The last
     *  vertex joins the first; a closing vertex that repeats the first has no effect. */
    std::span<const std::int64_t> ring_offsets;
    /** P + 1, into rings. If empty, each polygon has one ring. */
    std::span<const std::int64_t> polygon_offsets = {};
    /** F + 1, into polygons. If empty, each feature has one polygon. */
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

/** Checks the requirements of the functions that take Polygons, which all begin with this check.
 *  Passes over the arrays once, without allocation.
 *  @throws std::invalid_argument  with the first error: offsets that decrease or are out of range,
 *          a ring of fewer than 3 vertices, a polygon of more than 2^30, or a coordinate that is
 *          not finite (of any vertex, in a ring or not). */
POLYMASK_API void check(const Polygons &polygons);

} // namespace polymask::inline POLYMASK_ABI
