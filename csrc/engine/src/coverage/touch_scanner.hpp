/* The squares that a polygon touches as boundaries of runs, without a mask: RunScanner's way of
 * saying them.
 *
 * A row's edges each have a span of squares. In their order from left to right what lies in a span
 * is touched, and between spans what has an odd number of edges that cross the row to its left. */
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "coverage/touch_edges.hpp"
#include "many/run_scanner.hpp"
#include "parallel/pace.hpp"
#include "polymask/polygons.hpp"

namespace polymask::detail
{

class TouchScanner
{
  public:
    /* As RunScanner::scan. */
    template <class Visit>
    void scan(const Polygons &polygons, std::int64_t polygon, const Window &window, Squares squares,
              Visit &&visit)
    {
        const Borders borders(window, squares);
        edges_.clear();
        for_edges(polygons, polygon, borders, [&](const TouchEdge &e) { edges_.push_back(e); });
        sort_asking(edges_.begin(), edges_.end(), [](const TouchEdge &a, const TouchEdge &b) {
            return a.first_row < b.first_row;
        });
        active_.clear();
        std::size_t next = 0;
        Pace pace;
        for (std::int64_t row = 0; next < edges_.size() || !active_.empty(); ++row) {
            if (active_.empty())
                row = edges_[next].first_row;
            for (; next < edges_.size() && edges_[next].first_row == row; ++next)
                active_.emplace_back(borders, edges_[next], row);
            spans_.clear();
            std::size_t kept = 0;
            for (std::size_t i = 0; i < active_.size(); ++i) {
                spans_.push_back(active_[i].next(borders, row));
                if (active_[i].last_row() > row)
                    active_[kept++] = active_[i];
            }
            active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(kept), active_.end());
            pace.after(static_cast<std::int64_t>(spans_.size()));
            join_spans(window.cols);
            if (!boundaries_.empty())
                visit(row, Boundaries(boundaries_));
        }
    }

    /* At least the number of its runs in the window: a run begins with a span. */
    std::int64_t most_runs(const Polygons &polygons, std::int64_t polygon, const Window &window,
                           Squares squares) const
    {
        std::int64_t most = 0;
        for_edges(polygons, polygon, Borders(window, squares),
                  [&](const TouchEdge &e) { most += e.last_row - e.first_row + 1; });
        return most;
    }

  private:
    template <class Visit>
    static void for_edges(const Polygons &polygons, std::int64_t polygon, const Borders &borders,
                          Visit visit)
    {
        const auto [first_ring, end_ring] = polygons.rings_of(polygon);
        Pace pace;
        for (std::int64_t ring = first_ring; ring < end_ring; ++ring) {
            const auto of = polygons.vertices_of(ring);
            borders.for_edges(polygons.vertices.subspan(2 * static_cast<std::size_t>(of.first),
                                                        2 * static_cast<std::size_t>(of.size())),
                              pace, visit);
        }
    }

    void join_spans(std::int64_t cols)
    {
        sort_asking(spans_.begin(), spans_.end(),
                    [](const TouchSpan &a, const TouchSpan &b) { return a.begin < b.begin; });
        boundaries_.clear();
        std::int64_t reached = 0; /* all columns before it are settled */
        bool inside = false;
        for (const TouchSpan &span : spans_) {
            if (inside)
                add(reached, span.begin);
            add(span.begin, span.end);
            inside ^= span.crosses;
            reached = std::max({reached, span.begin, span.end});
        }
        if (inside)
            add(reached, cols);
    }

    /* No run begins before one that was added earlier. */
    void add(std::int64_t start, std::int64_t stop)
    {
        if (start >= stop)
            return;
        if (!boundaries_.empty() && start <= boundaries_.back())
            boundaries_.back() = std::max(boundaries_.back(), static_cast<Column>(stop));
        else
            boundaries_.insert(boundaries_.end(),
                               {static_cast<Column>(start), static_cast<Column>(stop)});
    }

    std::vector<TouchEdge> edges_;
    std::vector<Borders::Walk> active_;
    std::vector<TouchSpan> spans_;
    std::vector<Column> boundaries_;
};

} // namespace polymask::detail
