/* Reading COCO's run lengths: from text to counts, from counts to runs along the rows, and from
 * runs to outlines. */
#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "many/transposer.hpp"
#include "outlines/corners.hpp"
#include "parallel/interrupt_poller.hpp"
#include "polymask/coco.hpp"
#include "support/checks.hpp"

namespace polymask::inline POLYMASK_ABI
{

namespace
{

using namespace detail;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

/* Reads a number, and moves `place` behind it. Groups of five bits come lowest first; the fifth bit
 * of the last group is the sign. */
std::int64_t read_number(std::string_view text, std::size_t &place)
{
    std::uint64_t number = 0;
    for (int shift = 0;; shift += 5) {
        if (place == text.size())
            refuse("the text of counts ends within a number");
        const int group = static_cast<unsigned char>(text[place]) - 48;
        if (group < 0 || group > 63)
            refuse("character " + std::to_string(place) + " of the counts is not in COCO's text");
        /* Four bits of a thirteenth group fit: its fifth, the sign, must equal the fourth. */
        if (shift > 60 || (shift == 60 && (group >> 3 & 1) != (group >> 4 & 1)))
            refuse("character " + std::to_string(place) +
                   " of the counts continues a number beyond 64 bits");
        ++place;
        number |= static_cast<std::uint64_t>(group & 31) << shift;
        if ((group & 32) == 0) {
            if ((group & 16) != 0 && shift + 5 < 64)
                number |= ~std::uint64_t{0} << (shift + 5);
            return static_cast<std::int64_t>(number);
        }
    }
}

void check_counts(std::span<const std::int64_t> counts, Shape shape)
{
    const auto [rows, cols] = shape;
    if (rows < 0 || cols < 0 || (rows > 0 && cols > most / rows))
        refuse("the size (" + std::to_string(rows) + ", " + std::to_string(cols) +
               ") is negative, or exceeds 64 bits");
    std::int64_t left = rows * cols;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] < 0)
            refuse("count " + std::to_string(i) + " is negative: " + std::to_string(counts[i]));
        if (counts[i] > left)
            refuse("counts exceed the size (" + std::to_string(rows) + ", " + std::to_string(cols) +
                   "): they add up to more than " + std::to_string(rows * cols));
        left -= counts[i];
    }
    if (left > 0)
        refuse("counts add up to " + std::to_string(rows * cols - left) +
               ", but pixels of the size (" + std::to_string(rows) + ", " + std::to_string(cols) +
               ") to " + std::to_string(rows * cols));
}

/* Cuts runs down the columns at the ends of columns, for a Transposer. */
class ColumnCutter
{
  public:
    ColumnCutter(Transposer &transposer, std::int64_t rows) : transposer_(transposer), rows_(rows)
    {
    }

    /* Adds the pixels begin .. end - 1, counted down the columns. */
    void add(std::int64_t begin, std::int64_t end)
    {
        const std::int64_t column = begin / rows_, top = begin % rows_;
        const std::int64_t stop = std::min(end, begin - top + rows_);
        add_part(column, top, top + stop - begin);
        const std::int64_t full = (end - stop) / rows_, next = column + 1 + full;
        if (full > 0) {
            finish();
            transposer_.add(column + 1, next, std::array<std::int64_t, 2>{0, rows_});
        }
        if (const std::int64_t rest = end - stop - full * rows_; rest > 0)
            add_part(next, 0, rest);
    }

    void finish()
    {
        if (!boundaries_.empty())
            transposer_.add(column_, column_ + 1, boundaries_);
        boundaries_.clear();
    }

  private:
    void add_part(std::int64_t column, std::int64_t top, std::int64_t bottom)
    {
        if (column != column_)
            finish();
        column_ = column;
        boundaries_.push_back(top);
        boundaries_.push_back(bottom);
    }

    Transposer &transposer_;
    std::int64_t rows_, column_ = 0;
    std::vector<std::int64_t> boundaries_;
};

} // namespace

std::vector<std::int64_t> counts_of_text(std::string_view text)
{
    std::vector<std::int64_t> counts;
    InterruptPoller poller;
    for (std::size_t place = 0; place < text.size();) {
        poller.count(1);
        std::int64_t number = read_number(text, place);
        if (counts.size() > 2) {
            const std::int64_t earlier = counts[counts.size() - 2];
            if (earlier > 0 && number > most - earlier)
                refuse("count " + std::to_string(counts.size()) + " exceeds 64 bits");
            number += earlier;
        }
        if (number < 0)
            refuse("count " + std::to_string(counts.size()) + " is negative");
        counts.push_back(number);
    }
    return counts;
}

std::vector<Run> runs_of_counts(std::span<const std::int64_t> counts, Shape shape)
{
    check_counts(counts, shape);
    const auto [rows, cols] = shape;
    Transposer transposer;
    if (rows > 0) {
        ColumnCutter cutter(transposer, rows);
        std::int64_t place = 0, begin = 0, end = 0; /* of the run that the next one may continue */
        InterruptPoller poller;
        for (std::size_t i = 0; i < counts.size(); place += counts[i], ++i) {
            poller.count(1);
            if (i % 2 == 0 || counts[i] == 0)
                continue;
            if (place > end) {
                if (begin < end)
                    cutter.add(begin, end);
                begin = place;
            }
            end = place + counts[i];
        }
        if (begin < end)
            cutter.add(begin, end);
        cutter.finish();
    }
    const std::vector<std::int64_t> &turns = transposer.sorted(cols);
    std::vector<Run> runs(turns.size() / 2);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::int64_t row = turns[2 * i] / cols, first = row * cols;
        runs[i] = {row, turns[2 * i] - first, turns[2 * i + 1] - first};
    }
    return runs;
}

Outlines outlines_of_counts(std::span<const std::int64_t> counts, Shape shape)
{
    const std::vector<Run> runs = runs_of_counts(counts, shape);
    if (runs.empty())
        return {{}, {0}, {0}, {}};
    return outlines_of_runs(runs);
}

} // namespace polymask::inline POLYMASK_ABI
