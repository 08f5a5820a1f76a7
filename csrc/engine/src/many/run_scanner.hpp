/* A polygon's rows as boundaries: the columns where inside and outside change, without a mask.
 *
 * An edge that crosses a row toggles its pixels 0 .. X; the columns X + 1 of a row, sorted and
 * without equal pairs, are therefore the alternating starts and stops of its runs. There are two
 * ways to sort them. Most polygons have few columns per row: a counting sort by rows, and an
 * insertion sort in each row. If many edges meet in a row, each toggles a bit in a band of bits, as
 * for a mask, and the set bits are the columns in order.
 *
 * A vertex on a sample is stamped: if its pixel differs from the border value, both sides of the
 * pixel are toggled.
 *
 * A polygon's vertices are copied first, because they are read several times, and the first pass
 * determines the memory for the others: all passes must read the same numbers. */
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kernels/formula.hpp"
#include "kernels/kernels.hpp"
#include "mask/window.hpp"
#include "parallel/interrupt_poller.hpp"
#include "polymask/interruption.hpp"
#include "polymask/polygons.hpp"
#include "support/array.hpp"

namespace polymask::detail
{

using Column = std::int32_t;
/* The boundaries of one row, ascending, an even number: alternating starts and stops of runs. */
using Boundaries = std::span<const Column>;

class RunScanner
{
  public:
    /* The limit for windows, by the range of Column and Sample. */
    static constexpr std::int64_t most = std::int64_t{1} << 30;

    explicit RunScanner(const Kernels &kernels) noexcept : kernels_(kernels) {}

    /* Calls visit(row, Boundaries) for each row of the window that has a run, from top to bottom.
     * If it has a function `chains`, this receives the rows of a ring with two crossings per row at
     * once: the first row, one column and the other of each, in any order, and the number of rows.
     * The window has at most `most` rows and columns. Throws std::bad_alloc and Interrupted, at any
     * time. */
    template <class Visit>
    void scan(const Polygons &polygons, std::int64_t polygon, const Window &window,
              const Rule &rule, Visit &&visit)
    {
        if (!prepare(polygons, polygon, window, rule))
            return;
        if (is_two_chains_) {
            scan_chains(visit);
            return;
        }
        if (wants_bits()) {
            for_band_rows(visit);
            return;
        }
        for (Column row = low_; row < high_; row += chunk_) {
            if (row > low_)
                Interruption::stop_if_asked();
            scan_rows(row, std::min(high_, row + chunk_), visit);
        }
    }

    /* Returns an upper limit of the number of the polygon's runs in the window. */
    std::int64_t most_runs(const Polygons &polygons, std::int64_t polygon, const Window &window,
                           const Rule &rule)
    {
        return prepare(polygons, polygon, window, rule)
                   ? crossings_ / 2 + static_cast<std::int64_t>(stamps_.size())
                   : 0;
    }

  private:
    /* The number of rows per sort, and of elements that edge_columns may write after the last. */
    static constexpr Column chunk_rows = 1 << 16;
    static constexpr std::size_t more_rows = 8;

    struct BandRows {
        virtual void row(std::int64_t row, Boundaries boundaries) = 0;

      protected:
        ~BandRows() = default;
    };

    /* Determines rows, crossings and stamps; returns false if there are none. */
    bool prepare(const Polygons &polygons, std::int64_t polygon, const Window &window,
                 const Rule &rule);
    void collect_stamps();
    bool wants_bits() noexcept;
    void scan_bands(BandRows &rows);

    static void sort_many(Column *columns, std::size_t count);

    /* Sorts columns, and removes pairs of equal ones; returns the remaining number. */
    static std::size_t sort_and_cancel(Column *columns, std::size_t count)
    {
        if (count <= 32) {
            for (std::size_t i = 1; i < count; ++i) {
                const Column column = columns[i];
                std::size_t j = i;
                for (; j > 0 && columns[j - 1] > column; --j)
                    columns[j] = columns[j - 1];
                columns[j] = column;
            }
        } else {
            sort_many(columns, count);
        }
        std::size_t left = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (left > 0 && columns[left - 1] == columns[i])
                --left;
            else
                columns[left++] = columns[i];
        }
        return left;
    }

    /* Applies the stamps of a row, from next_stamp_ on. */
    Boundaries stamped(std::int64_t row, Boundaries boundaries);

    template <class Visit> void for_band_rows(Visit &visit)
    {
        struct Rows final : BandRows {
            explicit Rows(Visit &visit) : visit_(visit) {}
            void row(std::int64_t row, Boundaries boundaries) override { visit_(row, boundaries); }
            Visit &visit_;
        } rows(visit);
        scan_bands(rows);
    }

    /* Calls for_edge(i1, i2) with the vertices of each edge. */
    template <class ForEdge> void for_edges(ForEdge for_edge) const
    {
        for (std::int64_t ring = rings_.first; ring < rings_.end; ++ring) {
            const auto of_ring = polygons_->vertices_of(ring);
            const std::int64_t end = of_ring.end - first_vertex_;
            std::int64_t before = end - 1;
            for_each_interruptible(of_ring.first - first_vertex_, end, [&](std::int64_t vertex) {
                for_edge(before, vertex);
                before = vertex;
            });
        }
    }

    std::span<const double> polygon_vertices() const noexcept
    {
        return {vertices_.get(), 2 * static_cast<std::size_t>(vertex_count_)};
    }

    /* Computes the edge's columns in rows first .. end - 1. */
    void edge_columns(std::int64_t i1, std::int64_t i2, Column first, Column end,
                      Column *out) const noexcept
    {
        const double *p1 = vertices_.get() + 2 * i1, *p2 = vertices_.get() + 2 * i2;
        if (rule_.watertight && p2[1] < p1[1])
            std::swap(p1, p2);
        kernels_.edge_columns(window_, p1, p2, first, end, out);
        if (rule_.watertight && rule_.half_open() && window_.y(end - 1) == p2[1])
            out[end - 1 - first] = static_cast<Column>(window_.columns_up_to(p2[0]));
    }

    /* Visits a row with two crossings, in any order. */
    template <class Visit> static void visit_pair(Column row, Column a, Column b, Visit &visit)
    {
        const Column pair[2] = {std::min(a, b), std::max(a, b)};
        if (a != b)
            visit(std::int64_t{row}, Boundaries(pair));
    }

    bool is_stamped(Column row) const noexcept
    {
        return next_stamp_ < stamps_.size() && static_cast<Column>(stamps_[next_stamp_].row) == row;
    }

    /* Visits a row's columns, in any order, with its stamps if it has any. */
    template <class Visit>
    void visit_row(Column row, Column *columns, std::size_t count, Visit &visit)
    {
        Boundaries boundaries(columns, sort_and_cancel(columns, count));
        if (is_stamped(row))
            boundaries = stamped(row, boundaries);
        if (!boundaries.empty())
            visit(std::int64_t{row}, boundaries);
    }

    /* Scans a ring with two crossings in each row, such as a convex ring: one by the chain of edges
     * that goes down, one by the chain that goes up. */
    template <class Visit> void scan_chains(Visit &visit)
    {
        const Column *vertex_rows = vertex_rows_.get();
        const auto rows = static_cast<std::size_t>(high_ - low_);
        Column *const one = columns_.room_for(2 * (rows + more_rows));
        Column *const other = one + rows + more_rows;
        /* Both from the top, so that values written after an edge's last row are overwritten. */
        const std::int64_t top =
            std::min_element(vertex_rows, vertex_rows + vertex_count_) - vertex_rows;
        const Column first = vertex_rows[top];
        const auto follow = [&](auto step, Column *columns, bool downwards) {
            std::int64_t i = top;
            for (Column row = first; row < bottom_;) {
                const std::int64_t next = step(i);
                const Column end = vertex_rows[next];
                if (end > row)
                    edge_columns(downwards ? i : next, downwards ? next : i, row, end,
                                 columns + (row - low_));
                i = next;
                row = end;
            }
        };
        const std::int64_t last = vertex_count_ - 1;
        follow([last](std::int64_t i) { return i < last ? i + 1 : 0; }, one, true);
        follow([last](std::int64_t i) { return i > 0 ? i - 1 : last; }, other, false);
        if (stamps_.empty()) {
            if constexpr (requires { visit.chains(low_, one, other, rows); }) {
                visit.chains(low_, one, other, rows);
                return;
            }
            for (Column row = low_; row < high_; ++row)
                visit_pair(row, one[row - low_], other[row - low_], visit);
            return;
        }
        for (Column row = low_; row < high_; ++row) {
            Column pair[2] = {0, 0};
            const bool crossed = row >= first && row < bottom_;
            if (crossed)
                pair[0] = one[row - low_], pair[1] = other[row - low_];
            visit_row(row, pair, crossed ? 2 : 0, visit);
        }
    }

    template <class Visit> void scan_rows(Column low, Column high, Visit &visit)
    {
        const Column *vertex_rows = vertex_rows_.get();
        const auto rows = static_cast<std::size_t>(high - low);
        std::uint32_t *places = places_.room_for(rows + 1);
        std::fill_n(places, rows + 1, 0);
        for_edges([&](std::int64_t i1, std::int64_t i2) {
            const auto [first, end] = std::minmax(vertex_rows[i1], vertex_rows[i2]);
            ++places[std::clamp(first, low, high) - low];
            --places[std::clamp(end, low, high) - low];
        });
        std::uint32_t place = 0, active = 0;
        for (std::size_t row = 0; row < rows; ++row) {
            active += places[row];
            places[row] = place;
            place += active;
        }
        Column *const columns = columns_.room_for(place);
        Column *const of_edge = edge_columns_.room_for(rows + more_rows);
        for_edges([&](std::int64_t i1, std::int64_t i2) {
            const auto ends = std::minmax(vertex_rows[i1], vertex_rows[i2]);
            const Column first = std::max(ends.first, low), end = std::min(ends.second, high);
            if (first >= end)
                return;
            edge_columns(i1, i2, first, end, of_edge);
            for (Column row = first; row < end; ++row)
                columns[places[row - low]++] = of_edge[row - first];
        });
        /* each row's place has moved to its end */
        Column *start = columns;
        InterruptPoller poller;
        for (Column row = low; row < high; ++row) {
            Column *const end = columns + places[row - low];
            if (end - start == 2 && !is_stamped(row)) {
                visit_pair(row, start[0], start[1], visit);
            } else {
                visit_row(row, start, static_cast<std::size_t>(end - start), visit);
                poller.count(end - start);
            }
            start = end;
        }
    }

    const Kernels &kernels_;

    /* The current polygon. */
    const Polygons *polygons_ = nullptr;
    Polygons::Range rings_ = {};
    std::int64_t first_vertex_ = 0, vertex_count_ = 0, crossings_ = 0;
    Window window_ = {};
    Column low_ = 0, high_ = 0;   /* its rows in the window */
    Column chunk_ = 0;            /* the number of rows at once */
    Column left_ = 0, right_ = 0; /* the columns that it reaches, for bits */
    Column bottom_ = 0;           /* the end of the rows that edges cross */
    Rule rule_ = {};
    bool is_two_chains_ = false; /* one ring with two crossings in each row */
    std::size_t next_stamp_ = 0;

    Scratch<double> vertices_;    /* x0, y0, x1, y1, ... */
    Scratch<Column> vertex_rows_; /* Window::rows_up_to for each */
    Scratch<std::uint32_t> places_;
    Scratch<Column> columns_, edge_columns_, row_;
    std::vector<Sample> stamps_; /* sorted by rows and columns, without duplicates */
};

} // namespace polymask::detail
