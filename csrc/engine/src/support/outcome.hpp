/* Exceptions as values, for the functions that do not throw. */
#pragma once

#include "polymask/polymask.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

/* Returns the outcome of the exception that is being handled. */
Outcome outcome_of_exception() noexcept;

template <class Work> Outcome outcome_of(Work work) noexcept
{
    try {
        work();
        return {};
    } catch (...) {
        return outcome_of_exception();
    }
}

} // namespace polymask::inline POLYMASK_ABI::detail
