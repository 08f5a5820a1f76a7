/* The squares of a row that an edge meets: a span between the places where it enters and leaves the
 * row.
 *
 * These places are computed as exact column numbers: by a rounded crossing if no border of a column
 * lies within its error, else by the sign of a determinant (rings.hpp). A square that no edge meets
 * is completely inside or outside, as its centre tells by the even-odd rule; for this, it is enough
 * to know which edges that cross the centre's row lie to the right of the square. */
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "coverage/rings.hpp"
#include "kernels/formula.hpp"
#include "many/run_scanner.hpp"
#include "mask/window.hpp"
#include "parallel/interrupt_poller.hpp"
#include "polymask/polygons.hpp"
#include "polymask/polymask.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

/* An edge, with its end of smaller y first, and the rows of the window that it meets. */
struct TouchEdge {
    double x1, y1, x2, y2;
    std::int64_t first_row, last_row;
};

/* Squares begin .. end - 1 of a row, none if begin == end; all within the window's columns. */
struct TouchSpan {
    std::int64_t begin, end;
    bool crosses; /* it crosses the row of centres: squares from `begin` on are on its other side */
};

/* The borders of a window's squares. */
class Borders
{
  public:
    Borders(const Window &window, Squares squares) noexcept
        : window_(window), closed_(squares == Squares::closed),
          /* Squares centred on integers begin half a pixel before them. */
          borders_(window.half != 0 ? Window{window.rows + 1, window.cols + 1, window.row_offset,
                                             window.column_offset, 0.0}
                                    : Window{window.rows + 1, window.cols + 1,
                                             window.row_offset - 1, window.column_offset - 1, 0.5})
    {
    }

    /* Calls visit(edge) for each edge of a ring that meets a row of the window. */
    template <class Visit>
    void for_edges(std::span<const double> ring, InterruptPoller &poller, Visit visit) const
    {
        double x1 = finite(ring[ring.size() - 2]), y1 = finite(ring[ring.size() - 1]);
        for (std::size_t i = 0; i < ring.size(); i += 2) {
            poller.count(1);
            const double x2 = finite(ring[i]), y2 = finite(ring[i + 1]);
            TouchEdge e =
                y1 <= y2 ? TouchEdge{x1, y1, x2, y2, 0, 0} : TouchEdge{x2, y2, x1, y1, 0, 0};
            x1 = x2;
            y1 = y2;
            e.first_row = std::max(first_of(row_place(e.y1)), std::int64_t{0});
            e.last_row = std::min(last_of(row_place(e.y2)), window_.rows - 1);
            if (e.first_row <= e.last_row)
                visit(e);
        }
    }

    /* A coordinate among borders: `index` is the last border at or before it, or -1. */
    struct Place {
        std::int64_t index;
        bool on; /* it coincides with that border */
    };

    /* The spans of an edge, row by row. */
    class Walk
    {
      public:
        Walk(const Borders &borders, const TouchEdge &edge, std::int64_t row) noexcept
            : edge_(edge), p1_(borders.column_place(edge.x1)), p2_(borders.column_place(edge.x2)),
              enters_(at_border(borders, row))
        {
        }
        std::int64_t last_row() const noexcept { return edge_.last_row; }

        /* Returns the span in the first row, then in the row below, and so on up to last_row(). */
        TouchSpan next(const Borders &borders, std::int64_t row) noexcept
        {
            const TouchEdge &e = edge_;
            const Place leaves = at_border(borders, row + 1);
            /* a horizontal edge is at both ends at once */
            const Place &start = e.y1 == e.y2 ? p1_ : enters_, &stop = e.y1 == e.y2 ? p2_ : leaves;
            const bool rightwards = e.x1 <= e.x2;
            const std::int64_t cols = borders.window_.cols;
            TouchSpan span;
            span.begin =
                std::clamp(borders.first_of(rightwards ? start : stop), std::int64_t{0}, cols);
            span.end = std::clamp(borders.last_of(rightwards ? stop : start) + 1, span.begin, cols);
            const double middle = borders.window_.y(row);
            span.crosses = e.y1 < middle && middle <= e.y2;
            enters_ = leaves;
            return span;
        }

      private:
        Place at_border(const Borders &borders, std::int64_t border) const noexcept
        {
            const double y = borders.borders_.y(border);
            return y <= edge_.y1 ? p1_ : y >= edge_.y2 ? p2_ : borders.crossing(edge_, y);
        }

        TouchEdge edge_;
        Place p1_, p2_, enters_;
    };

  private:
    Place row_place(double y) const noexcept
    {
        const std::int64_t index = borders_.rows_up_to(y) - 1;
        return {index, index >= 0 && borders_.y(index) == y};
    }
    Place column_place(double x) const noexcept
    {
        const std::int64_t index = borders_.columns_up_to(x) - 1;
        return {index, index >= 0 && borders_.x(index) == x};
    }

    /* Return the first or last square that is met by a part that begins or ends there: with closed
     * squares, a square that ends there is also met; with open ones, one that begins there is not.
     */
    std::int64_t first_of(const Place &place) const noexcept
    {
        return place.index - (closed_ && place.on);
    }
    std::int64_t last_of(const Place &place) const noexcept
    {
        return place.index - (!closed_ && place.on);
    }

    /* Returns the place where an edge crosses a height between its ends. */
    Place crossing(const TouchEdge &e, double y) const noexcept
    {
        /* The error of the formula is at most 7 units of 2^-53 of the larger |x| (the sums in
         * formula.hpp), if no term overflows, and nothing that underflows is divided by less than
         * 2^-500. */
        const double size = std::max(std::fabs(e.x1), std::fabs(e.x2));
        const double tallest = std::max(std::fabs(e.y1), std::fabs(e.y2));
        std::int64_t low = -1, high = borders_.cols - 1;
        if (size < 0x1p500 && tallest < 0x1p500 && e.y2 - e.y1 > 0x1p-500) {
            const double x = crossing_x(y, e.x1, e.y1, e.x2, e.y2);
            const double error = size * 0x1p-49 + 0x1p-500;
            const Place before = column_place(x - error);
            low = before.index;
            high = column_place(x + error).index;
            if (low == high && !before.on)
                return {low, false};
            low -= before.on;
        }
        bool on = false;
        while (low < high) { /* borders up to `low`, if any, are at or before the crossing */
            const std::int64_t middle = low + (high - low + 1) / 2;
            const int beyond = crossing_beyond(borders_.x(middle), y, e.x1, e.y1, e.x2, e.y2);
            if (beyond >= 0) {
                low = middle;
                on = beyond == 0;
            } else {
                high = middle - 1;
            }
        }
        return {low, on};
    }

    Window window_;
    bool closed_;
    Window borders_; /* its samples are the borders */
};

/* The squares that a polygon touches, as boundaries of runs without a mask, as in RunScanner.
 *
 * Each edge in a row has a span of squares. All squares in a span are touched; between spans,
 * squares are touched if the number of edges that cross the row to their left is odd. */
class TouchScanner
{
  public:
    /* Like RunScanner::scan. */
    template <class Visit>
    void scan(const Polygons &polygons, std::int64_t polygon, const Window &window, Squares squares,
              Visit &&visit)
    {
        const Borders borders(window, squares);
        edges_.clear();
        for_edges(polygons, polygon, borders, [&](const TouchEdge &e) { edges_.push_back(e); });
        sort_interruptible(
            edges_.begin(), edges_.end(),
            [](const TouchEdge &a, const TouchEdge &b) { return a.first_row < b.first_row; });
        active_.clear();
        std::size_t next = 0;
        InterruptPoller poller;
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
            poller.count(static_cast<std::int64_t>(spans_.size()));
            join_spans(window.cols);
            if (!boundaries_.empty())
                visit(row, Boundaries(boundaries_));
        }
    }

    /* Returns an upper limit of the number of runs in the window, as a run begins with a span. */
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
        InterruptPoller poller;
        for (std::int64_t ring = first_ring; ring < end_ring; ++ring) {
            const auto of = polygons.vertices_of(ring);
            borders.for_edges(polygons.vertices.subspan(2 * static_cast<std::size_t>(of.first),
                                                        2 * static_cast<std::size_t>(of.size())),
                              poller, visit);
        }
    }

    void join_spans(std::int64_t cols)
    {
        sort_interruptible(
            spans_.begin(), spans_.end(),
            [](const TouchSpan &a, const TouchSpan &b) { return a.begin < b.begin; });
        boundaries_.clear();
        std::int64_t reached = 0; /* all columns before it are done */
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

    /* Adds a run, which must not begin before one that was added earlier. */
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

} // namespace polymask::inline POLYMASK_ABI::detail
