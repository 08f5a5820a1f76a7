/* Long loops that poll regularly whether to stop. Reading the clock takes as long as about ten
 * edges, so short loops never do it. All resources of a loop must be safe under Interrupted. */
#pragma once

#include <algorithm>
#include <cstdint>

#include "polymask/interruption.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

/* Steps are edges, crossings or comparisons. */
constexpr std::int64_t steps_between_polls = std::int64_t{1} << 16;

/* This number of pixels, read or written in order, takes as long as a step. */
constexpr std::int64_t pixels_of_a_step = 64;

/* Counts the steps of a loop, and polls after steps_between_polls. Throws Interrupted. */
class InterruptPoller
{
  public:
    void count(std::int64_t steps)
    {
        steps_ += steps;
        if (steps_ >= steps_between_polls) {
            steps_ = 0;
            Interruption::stop_if_asked();
        }
    }

  private:
    std::int64_t steps_ = 0;
};

/* Calls visit(i) for i = first .. end - 1, and polls before each multiple of 2^16 except 0: between
 * blocks, so that no counter is needed per i. For consecutive ranges, it polls as for one range.
 * Throws Interrupted. */
template <class Index, class Visit> void for_each_interruptible(Index first, Index end, Visit visit)
{
    constexpr auto block = static_cast<Index>(steps_between_polls);
    for (Index i = first; i < end;) {
        if (i > 0 && i % block == 0)
            Interruption::stop_if_asked();
        const Index block_end = std::min(end - i, block - i % block) + i;
        for (; i < block_end; ++i)
            visit(i);
    }
}

/* std::sort(); after Interrupted, the range has no particular order and may lack elements. */
template <class Iterator, class Less>
void sort_interruptible(Iterator first, Iterator end, Less less)
{
    if (end - first < steps_between_polls) {
        std::sort(first, end, less);
        return;
    }
    InterruptPoller poller;
    std::sort(first, end, [&](const auto &a, const auto &b) {
        poller.count(1);
        return less(a, b);
    });
}

} // namespace polymask::inline POLYMASK_ABI::detail
