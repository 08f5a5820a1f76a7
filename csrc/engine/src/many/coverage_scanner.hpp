/* The covered fractions of the pixels of a feature in a window, some rows at a time. */
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "mask/window.hpp"
#include "polymask/coverage.hpp"
#include "polymask/polygons.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

class CoverageScanner
{
  public:
    /* Calls visit(row, column, fractions, count) for each row of the pixels that the feature can
     * cover, from the top down. The window is near (checks.hpp). */
    template <class Visit>
    void scan(const Polygons &polygons, std::int64_t feature, const Window &window,
              InstructionSet instruction_set, Visit visit)
    {
        collect(polygons, feature);
        if (parts_.empty())
            return;
        const auto first = parts_.front().vertices.begin();
        const Box box = touched_box_of(Extent({first, parts_.back().vertices.end()}), window);
        const std::int64_t width = box.cols();
        if (box.rows() <= 0 || width <= 0)
            return;
        const std::int64_t height = std::max(most / width, std::int64_t{1});
        for (std::int64_t top = box.top; top < box.bottom; top += height) {
            const std::int64_t rows = std::min(height, box.bottom - top);
            cover({.shape = {rows, width},
                   .center = window.half != 0,
                   .row_offset = window.row_offset + top,
                   .column_offset = window.column_offset + box.left},
                  instruction_set);
            for (std::int64_t row = 0; row < rows; ++row)
                visit(top + row, box.left, fractions_.data() + row * width, width);
        }
    }

  private:
    static constexpr std::int64_t most = 1 << 18; /* pixels at a time, or one row */

    /* Lists the polygons that have rings. */
    void collect(const Polygons &polygons, std::int64_t feature)
    {
        parts_.clear();
        starts_.clear();
        const auto [first, end] = polygons.polygons_of(feature);
        if (first < end)
            starts_.reserve(static_cast<std::size_t>(polygons.rings_of(end - 1).end -
                                                     polygons.rings_of(first).first));
        for (std::int64_t polygon = first; polygon < end; ++polygon) {
            const auto rings = polygons.rings_of(polygon);
            if (rings.size() == 0)
                continue;
            const std::int64_t begin = polygons.vertices_of(rings.first).first;
            const std::size_t place = starts_.size();
            for (std::int64_t ring = rings.first; ring < rings.end; ++ring)
                starts_.push_back(polygons.vertices_of(ring).first - begin);
            const std::int64_t stop = polygons.vertices_of(rings.end - 1).end;
            parts_.push_back(
                {polygons.vertices.subspan(static_cast<std::size_t>(2 * begin),
                                           static_cast<std::size_t>(2 * (stop - begin))),
                 std::span(starts_).subspan(place)});
        }
    }

    /* The fractions of several polygons are added, limited to 1, and then rounded. */
    void cover(const Grid &grid, InstructionSet instruction_set)
    {
        const auto size = static_cast<std::size_t>(grid.shape.rows * grid.shape.cols);
        fractions_.resize(size);
        if (parts_.size() == 1) {
            coverage(parts_[0], grid, fractions_, {}, instruction_set);
            return;
        }
        sums_.assign(size, 0);
        for (const Polygon &part : parts_)
            add_coverage(part, grid, sums_, 0, instruction_set);
        for (std::size_t i = 0; i < size; ++i)
            fractions_[i] = static_cast<float>(std::min(sums_[i], 1.0));
    }

    std::vector<Polygon> parts_;
    std::vector<std::int64_t> starts_;
    std::vector<float> fractions_;
    std::vector<double> sums_;
};

} // namespace polymask::inline POLYMASK_ABI::detail
