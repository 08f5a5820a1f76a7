/* The polygon's edges, prepared for one window and sorted by bands. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "polymask/polymask.hpp"
#include "support/array.hpp"
#include "support/fixed_point.hpp"
#include "support/layout.hpp"

namespace polymask::detail
{

/* An edge that crosses rows first .. first + rows - 1. */
struct Edge {
    Stepping stepping;
    std::uint32_t first, rows;
    std::uint32_t p1, p2; /* its vertices, for the formula */
};

/* A sample: a toggled bit, or a vertex that lies on it. */
struct Sample {
    std::uint32_t row, column;
};

/* Everything that the bands read. Edges of one to three rows, of which large polygons have many,
 * are kept as their crossings. */
class EdgeTable
{
  public:
    /* Throws std::bad_alloc, and Interrupted. */
    EdgeTable(const Polygon &polygon, const Window &samples, const Layout &layout,
              bool watertight = false, bool half_open = false);

    Window window;
    const double *vertices;

    const Edge &edge(std::uint32_t index) const noexcept { return edges_[index]; }

    /* Calls visit(begin, end) with ranges of edge() that hold all edges of a band, and few
     * that miss it: those of a level start within its reach. */
    template <class Visit> void for_ranges(std::int64_t band, Visit visit) const noexcept
    {
        for (int level = 0; level < levels_; ++level) {
            const std::int64_t reach = std::int64_t{1} << level;
            const std::int64_t from = std::max(band - reach + 1, std::int64_t{0});
            const std::uint32_t *start = edge_starts_.get() + level * bands_;
            if (start[from] != start[band + 1])
                visit(start[from], start[band + 1]);
        }
    }
    std::size_t size() const noexcept { return edge_count_; }

    /* Of one band. */
    std::span<const Sample> crossings(std::int64_t band) const noexcept
    {
        return of_band(crossings_, crossing_starts_, band);
    }
    /* Vertices that lie on samples. */
    std::span<const Sample> stamps() const noexcept { return {stamps_.get(), stamp_count_}; }

  private:
    void collect(const Polygon &polygon, const Layout &layout, bool watertight, bool half_open);

    static std::span<const Sample> of_band(const Array<Sample> &samples,
                                           const Array<std::uint32_t> &starts,
                                           std::int64_t band) noexcept
    {
        const auto i = static_cast<std::size_t>(band);
        return {samples.get() + starts[i], samples.get() + starts[i + 1]};
    }

    std::int64_t bands_;
    int levels_;
    std::size_t edge_count_ = 0, crossing_count_ = 0, stamp_count_ = 0;
    Array<Edge> edges_;
    Array<Sample> crossings_, stamps_;
    Array<std::uint32_t> edge_starts_, crossing_starts_;
};

} // namespace polymask::detail
