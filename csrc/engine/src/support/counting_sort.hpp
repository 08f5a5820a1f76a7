#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "parallel/interrupt_poller.hpp"
#include "polymask/config.hpp"
#include "support/array.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

/* A counting sort: items with key k < keys are moved to starts[k] .. starts[k + 1] - 1. Throws
 * std::bad_alloc, and Interrupted. */
template <class T, class Key>
void sort_by(Key key, std::size_t keys, Array<T> &items, std::size_t count,
             Array<std::uint32_t> &starts)
{
    starts = std::make_unique<std::uint32_t[]>(keys + 1);
    for_each_interruptible(std::size_t{0}, count, [&](std::size_t i) { ++starts[key(items[i])]; });
    std::uint32_t start = 0;
    for (std::size_t k = 0; k <= keys; ++k)
        start += std::exchange(starts[k], start);
    if (keys == 1)
        return;
    auto sorted = uninitialized<T>(count);
    for_each_interruptible(std::size_t{0}, count,
                           [&](std::size_t i) { sorted[starts[key(items[i])]++] = items[i]; });
    /* each start is now the start of the next key */
    std::copy_backward(starts.get(), starts.get() + keys, starts.get() + keys + 1);
    starts[0] = 0;
    items = std::move(sorted);
}

} // namespace polymask::inline POLYMASK_ABI::detail
