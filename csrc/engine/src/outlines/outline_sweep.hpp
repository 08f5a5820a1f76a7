/* A sweep down the rows that finds the corners of all outlines, and links each to the next.
 *
 * Where a row of pixels changes, a vertical edge lies; where it changes unlike the row above it, an
 * edge begins or ends: there is a corner. Edges are directed so that their region lies to the
 * right of them as one sees an image: top edges run to the right, bottom edges to the left. */
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "many/row_changes.hpp"
#include "support/array.hpp"

namespace polymask::detail
{

constexpr std::uint32_t no_index = 0xffffffff;
constexpr std::uint32_t most_corners = 0xffff0000;

/* A vertex of a ring. Its component is a number of the region, before numbers are united. */
struct Corner {
    std::uint32_t x, y, next, component;
};

/* All corners, row by row and in a row from left to right. By realloc, which moves pages and copies
 * none where the system can. */
class Corners
{
  public:
    Corner &operator[](std::uint32_t i) noexcept { return all_[i]; }
    const Corner &operator[](std::uint32_t i) const noexcept { return all_[i]; }
    std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(size_); }

    void make_room(std::size_t more)
    {
        if (capacity_ - size_ >= more)
            return;
        if (size_ + more > most_corners)
            throw std::length_error(
                "outlines of more than 2^32 - 2^16 corners: trace windows of the image");
        const std::size_t capacity = std::max({size_ + more, 2 * capacity_, std::size_t{1024}});
        void *const larger = std::realloc(all_.get(), capacity * sizeof(Corner));
        if (larger == nullptr)
            throw std::bad_alloc();
        static_cast<void>(all_.release()); /* realloc has */
        all_.reset(static_cast<Corner *>(larger));
        capacity_ = capacity;
    }
    /* For which there is room. */
    std::uint32_t add(std::uint32_t x, std::uint32_t y, std::uint32_t component) noexcept
    {
        all_[size_] = {x, y, no_index, component};
        return static_cast<std::uint32_t>(size_++);
    }

  private:
    struct Free {
        void operator()(Corner *corners) const noexcept { std::free(corners); }
    };
    std::unique_ptr<Corner[], Free> all_;
    std::size_t size_ = 0, capacity_ = 0;
};

/* Numbers of which some turn out to mean the same; a set's least number stands for all of it. */
class Unions
{
  public:
    std::uint32_t add()
    {
        const auto number = static_cast<std::uint32_t>(parent_.size());
        parent_.push_back(number);
        return number;
    }
    void unite(std::uint32_t a, std::uint32_t b) noexcept
    {
        a = find(a), b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }
    std::size_t size() const noexcept { return parent_.size(); }
    /* Numbers the sets from 0, by their least members, and returns the number of each member's. */
    std::vector<std::uint32_t> numbered(std::uint32_t &count) &&
    {
        count = 0;
        for (std::uint32_t i = 0; i < parent_.size(); ++i) /* a parent is less, or the same */
            parent_[i] = parent_[i] == i ? count++ : parent_[parent_[i]];
        return std::move(parent_);
    }

  private:
    std::uint32_t find(std::uint32_t a) noexcept
    {
        while (parent_[a] != a)
            a = parent_[a] = parent_[parent_[a]];
        return a;
    }
    std::vector<std::uint32_t> parent_;
};

/* What a pixel of a mask is; outside of the image there is {false}. */
struct MaskCell {
    bool inside = false;
    bool operator==(const MaskCell &) const = default;
    std::uint64_t label() const noexcept { return 1; }
};

/* And one of a label image; what is background has the label 0 here. */
struct LabelCell {
    std::uint64_t bits = 0;
    bool inside = false;
    bool operator==(const LabelCell &) const = default;
    std::uint64_t label() const noexcept { return bits; }
};

/* Where a row changes: a vertical edge on each side of which there may be a region. */
template <class Cell> struct Change {
    std::uint32_t x;
    std::uint32_t down; /* corner at the upper end of the left region's edge, which runs down */
    std::uint32_t up;   /* likewise of the right region's, which runs up and ends there */
    std::uint32_t component; /* of the pixels to the right, if they are inside */
    Cell right;
};

template <class Cell> class Sweep
{
  public:
    explicit Sweep(std::int64_t cols)
        : above_(uninitialized<Change<Cell>>(static_cast<std::size_t>(cols) + 2)),
          below_(uninitialized<Change<Cell>>(static_cast<std::size_t>(cols) + 2))
    {
        above_[0].x = no_index;
    }

    /* Takes the next row. cell(value) says what a pixel is. */
    template <class T, class CellOf>
    void row(const T *pixels, std::int64_t cols, const CellOf &cell)
    {
        Change<Cell> *end = below_.get();
        Cell last;
        const auto change_to = [&](std::int64_t x, Cell right) {
            if (right != last) {
                *end++ = {static_cast<std::uint32_t>(x), no_index, no_index, no_index, right};
                last = right;
            }
        };
        change_to(0, cell(pixels[0]));
        each_change(pixels, cols, [&](std::int64_t x) { change_to(x, cell(pixels[x])); });
        change_to(cols, Cell{});
        meet(end);
    }
    /* Ends the image. */
    void finish() { meet(below_.get()); }

    Corners corners;
    /* First corners of pairs at one place, where two pixels of a label meet at their corners. */
    std::vector<std::uint32_t> meetings;
    Unions components;
    std::vector<std::uint64_t> labels; /* of components */

  private:
    /* Finds the corners between the last row and the one whose changes end there. */
    void meet(Change<Cell> *end);

    Array<Change<Cell>> above_, below_; /* each ends with a change at no_index */
    std::size_t above_size_ = 0;
    std::uint32_t y_ = 0;
};

template <class Cell> void Sweep<Cell>::meet(Change<Cell> *end)
{
    end->x = no_index;
    const auto below_size = static_cast<std::size_t>(end - below_.get());
    corners.make_room(4 * (above_size_ + below_size));

    Change<Cell> *a = above_.get(), *b = below_.get();
    Cell upper, lower; /* the pixels above and below this line */
    std::uint32_t upper_component = no_index, lower_component = no_index;
    std::uint32_t rightward = no_index; /* corner from which the lower one's top edge comes */
    std::uint32_t leftward = no_index;  /* corner to which the upper one's bottom edge goes */
    for (;;) {
        const std::uint32_t x = std::min(a->x, b->x);
        if (x == no_index)
            break;
        const Cell ul = upper, ll = lower;
        const std::uint32_t ul_component = upper_component, ll_component = lower_component;
        std::uint32_t down = no_index, up = no_index;
        if (a->x == x) {
            down = a->down, up = a->up;
            upper = a->right, upper_component = a->component;
            ++a;
        }
        Change<Cell> *below = nullptr;
        if (b->x == x) {
            below = b++;
            lower = below->right;
            if (lower.inside) {
                if (lower == upper) {
                    lower_component = upper_component;
                } else {
                    lower_component = components.add();
                    labels.push_back(lower.label());
                }
                below->component = lower_component;
            }
            if (ul == ll && upper == lower) { /* edges go straight on, as most do */
                below->down = down, below->up = up;
                continue;
            }
        }
        if (upper == lower && upper.inside && upper_component != lower_component)
            components.unite(upper_component, lower_component);

        std::uint32_t next_rightward = no_index, next_leftward = no_index;
        const auto add = [&](std::uint32_t component) { return corners.add(x, y_, component); };
        /* One region's corner, by which of the four pixels are its: 1 upper left, 2 upper right, 4
         * lower left, 8 lower right. Where two lie across, each keeps a corner of its own. */
        const auto corner = [&](unsigned pixels) {
            const bool across = pixels == 9 || pixels == 6;
            if (across)
                meetings.push_back(corners.size());
            if (pixels == 1 || pixels == 9) {
                const std::uint32_t v = add(ul_component);
                corners[down].next = v;
                corners[v].next = leftward;
            }
            if (pixels == 8 || pixels == 9)
                below->up = next_rightward = add(lower_component);
            if (pixels == 2 || pixels == 6) {
                const std::uint32_t v = next_leftward = add(upper_component);
                corners[v].next = up;
            }
            if (pixels == 4 || pixels == 6) {
                const std::uint32_t v = below->down = add(ll_component);
                corners[rightward].next = v;
            }
            switch (pixels) {
            case 3: /* a bottom edge goes straight on */
                next_leftward = leftward;
                break;
            case 12: /* a top edge */
                next_rightward = rightward;
                break;
            case 5: /* a right edge */
                below->down = down;
                break;
            case 10: /* a left edge */
                below->up = up;
                break;
            case 14: { /* all but the upper left one */
                const std::uint32_t v = add(lower_component);
                corners[rightward].next = v;
                corners[v].next = up;
                break;
            }
            case 13: /* all but the upper right one */
                next_rightward = add(lower_component);
                corners[down].next = next_rightward;
                break;
            case 11: { /* all but the lower left one */
                const std::uint32_t v = below->up = add(lower_component);
                corners[v].next = leftward;
                break;
            }
            case 7: /* all but the lower right one */
                below->down = next_leftward = add(ll_component);
                break;
            default:
                break;
            }
        };
        const auto pixels_of = [&](Cell cell) {
            return static_cast<unsigned>(ul == cell) | static_cast<unsigned>(upper == cell) << 1 |
                   static_cast<unsigned>(ll == cell) << 2 |
                   static_cast<unsigned>(lower == cell) << 3;
        };
        if constexpr (std::is_same_v<Cell, MaskCell>) {
            corner(pixels_of({true}));
        } else {
            if (ul.inside)
                corner(pixels_of(ul));
            if (upper.inside && upper != ul)
                corner(pixels_of(upper));
            if (ll.inside && ll != ul && ll != upper)
                corner(pixels_of(ll));
            if (lower.inside && lower != ul && lower != upper && lower != ll)
                corner(pixels_of(lower));
        }
        rightward = next_rightward, leftward = next_leftward;
    }
    std::swap(above_, below_);
    above_size_ = below_size;
    ++y_;
}

} // namespace polymask::detail
