/* From boundaries along rows to boundaries down columns, and back. */
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

#include "parallel/interrupt_poller.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

/* Takes the boundaries of runs along lines, and returns those along the lines across them.
 *
 * A line across changes between inside and outside from one line to the next if exactly one of the
 * two lines has it in a run. The boundaries of both lines, without equal pairs, therefore delimit
 * the lines across that change; a sort puts these changes in the order of lines across. */
class Transposer
{
  public:
    void clear()
    {
        changes_.clear();
        before_.clear();
        next_ = 0;
    }

    /* Adds the boundaries of lines `first` to `end` - 1, which are equal and ascend. Lines come in
     * ascending order; those without boundaries may be left out. */
    template <class Boundaries>
    void add(std::int64_t first, std::int64_t end, const Boundaries &boundaries)
    {
        if (first != next_)
            finish();
        now_.assign(boundaries.begin(), boundaries.end());
        both_.clear();
        std::set_symmetric_difference(before_.begin(), before_.end(), now_.begin(), now_.end(),
                                      std::back_inserter(both_));
        add_changes(first, both_);
        std::swap(before_, now_);
        next_ = end;
    }

    /* Returns across * lines + line for each change, in ascending order, valid until the next call.
     * Along each line across, every second change begins a run. Throws std::bad_alloc. */
    std::vector<std::int64_t> &sorted(std::int64_t lines)
    {
        finish();
        turns_.clear();
        std::int64_t left = std::numeric_limits<std::int64_t>::max(), right = 0;
        std::size_t count = 0;
        for (const Change &change : changes_) {
            left = std::min(left, change.first);
            right = std::max(right, change.end);
            const auto length = static_cast<std::size_t>(change.end - change.first);
            if (length > turns_.max_size() - count)
                throw std::bad_alloc();
            count += length;
        }
        turns_.resize(count);
        if (static_cast<std::size_t>(right - left) / 16 <= count)
            sort(lines, left, right);
        else /* a few far from each other: do not count for each line across */
            sort_by_comparison(lines);
        return turns_;
    }

  private:
    /* Lines across first .. end - 1 change before this line. */
    struct Change {
        std::int64_t line, first, end;
    };

    void finish()
    {
        add_changes(next_, before_);
        before_.clear();
    }

    void add_changes(std::int64_t line, const std::vector<std::int64_t> &boundaries)
    {
        for (std::size_t i = 0; i < boundaries.size(); i += 2)
            changes_.push_back({line, boundaries[i], boundaries[i + 1]});
    }

    void sort_by_comparison(std::int64_t lines)
    {
        auto turn = turns_.begin();
        for (const Change &change : changes_)
            for (std::int64_t i = change.first; i < change.end; ++i)
                *turn++ = i * lines + change.line;
        sort_interruptible(turns_.begin(), turns_.end(), std::less<>());
    }

    void sort(std::int64_t lines, std::int64_t left, std::int64_t right)
    {
        const auto across = static_cast<std::size_t>(right - left);
        places_.assign(across + 1, 0);
        for (const Change &change : changes_) { /* differences, from one line across to the next */
            ++places_[static_cast<std::size_t>(change.first - left)];
            --places_[static_cast<std::size_t>(change.end - left)];
        }
        std::inclusive_scan(places_.begin(), places_.end(), places_.begin());
        std::exclusive_scan(places_.begin(), places_.end(), places_.begin(), std::int64_t{0});
        InterruptPoller poller;
        for (const Change &change : changes_) {
            poller.count(change.end - change.first);
            std::int64_t *place = places_.data() + (change.first - left);
            for (std::int64_t i = change.first; i < change.end; ++i)
                turns_[static_cast<std::size_t>((*place++)++)] = i * lines + change.line;
        }
    }

    std::vector<std::int64_t> before_, now_, both_; /* boundaries */
    std::int64_t next_ = 0;                         /* the line after that of `before_` */
    std::vector<Change> changes_;
    std::vector<std::int64_t> places_, turns_;
};

} // namespace polymask::inline POLYMASK_ABI::detail
