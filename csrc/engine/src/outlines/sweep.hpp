/* A sweep down the rows that finds the corners of all outlines, and links each to the next.
 *
 * Each change in a row of pixels is a vertical edge; where a row changes differently from the row
 * above it, an edge begins or ends in a corner. The direction of edges is such that their region is
 * to their right in the displayed image: top edges run to the right, bottom edges to the left. */
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "outlines/corners.hpp"
#include "support/array.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

template <class T> inline std::uint64_t differing_bits(const T *a, const T *b) noexcept
{
    std::uint64_t x, y;
    std::memcpy(&x, a, sizeof x);
    std::memcpy(&y, b, sizeof y);
    return x ^ y;
}

/* Returns whether any of a number of bytes differ. Compilers vectorize it. */
template <std::size_t bytes, class T> inline bool any_differs(const T *a, const T *b) noexcept
{
    T differing = 0;
    for (std::size_t i = 0; i < bytes / sizeof(T); ++i)
        differing = static_cast<T>(differing | (a[i] ^ b[i]));
    return differing != 0;
}

/* Calls visit(x), x ascending from 1, for elements that differ from the previous one. */
template <class T, class Visit>
inline void each_change(const T *row, std::int64_t cols, const Visit &visit)
{
    constexpr int bits = 8 * sizeof(T), per_word = 64 / bits;
    constexpr std::int64_t per_block = 64 / sizeof(T);
    std::int64_t x = 1;
    while (x + per_block <= cols) {
        while (x + 4 * per_block <= cols && !any_differs<256>(row + x - 1, row + x))
            x += 4 * per_block;
        const std::int64_t end = x + per_block;
        if (end > cols)
            break;
        if (!any_differs<64>(row + x - 1, row + x)) {
            x = end;
            continue;
        }
        for (; x < end; x += per_word) {
            std::uint64_t word = differing_bits(row + x - 1, row + x);
            while (word != 0) { /* the elements of a word, in the order of memory */
                constexpr bool little = std::endian::native == std::endian::little;
                const int i = (little ? std::countr_zero(word) : std::countl_zero(word)) / bits;
                const int shift = bits * (little ? i : per_word - 1 - i);
                word &= ~((~std::uint64_t{0} >> (64 - bits)) << shift);
                visit(x + i);
            }
        }
    }
    for (; x < cols; ++x)
        if (row[x] != row[x - 1])
            visit(x);
}

/* A pixel of a mask; {false} outside the image. */
struct MaskCell {
    bool inside = false;
    bool operator==(const MaskCell &) const = default;
    std::uint64_t label() const noexcept { return 1; }
};

/* A pixel of a label image; the label of the background is 0 here. */
struct LabelCell {
    std::uint64_t bits = 0;
    bool inside = false;
    bool operator==(const LabelCell &) const = default;
    std::uint64_t label() const noexcept { return bits; }
};

/* A change in a row: a vertical edge with a possible region on each side. */
template <class Cell> struct Change {
    std::uint32_t x;
    std::uint32_t down; /* corner at the upper end of the left region's edge, which runs down */
    std::uint32_t up;   /* the same for the right region's edge, which runs up and ends there */
    std::uint32_t component; /* that of the pixels to the right, if they are inside */
    Cell right;
};

template <class Cell> class Sweep : public LinkedCorners
{
  public:
    /* Each row has up to `cols` + 1 changes. */
    explicit Sweep(std::int64_t cols)
        : above_(uninitialized<Change<Cell>>(static_cast<std::size_t>(cols) + 2)),
          below_(uninitialized<Change<Cell>>(static_cast<std::size_t>(cols) + 2))
    {
        above_[0].x = no_index;
    }

    /* Processes the next row. cell(value) returns the cell of a pixel. */
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
    /* Processes row y of a mask, below empty rows if it is not the next. */
    void row(std::int64_t y, std::span<const Run> runs, std::int64_t first_column)
    {
        if (y_ < y)
            finish();
        y_ = static_cast<std::uint32_t>(y);
        Change<Cell> *end = below_.get();
        for (const Run &run : runs)
            for (const std::int64_t x : {run.start, run.stop})
                *end++ = {static_cast<std::uint32_t>(x - first_column),
                          no_index,
                          no_index,
                          no_index,
                          {x == run.start}};
        meet(end);
    }
    /* Ends the image. */
    void finish() { meet(below_.get()); }

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
    std::uint32_t rightward = no_index; /* corner where the lower pixel's top edge begins */
    std::uint32_t leftward = no_index;  /* corner where the upper pixel's bottom edge ends */
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
            if (ul == ll && upper == lower) { /* edges continue straight, as most do */
                below->down = down, below->up = up;
                continue;
            }
        }
        if (upper == lower && upper.inside && upper_component != lower_component)
            components.unite(upper_component, lower_component);

        std::uint32_t next_rightward = no_index, next_leftward = no_index;
        const auto add = [&](std::uint32_t component) { return corners.add(x, y_, component); };
        /* A corner of one region, by the region's pixels among the four: 1 upper left, 2 upper
         * right, 4 lower left, 8 lower right. If two are diagonal, each has its own corner. */
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
            case 3: /* a bottom edge continues */
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

} // namespace polymask::inline POLYMASK_ABI::detail
