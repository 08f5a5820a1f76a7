/* The environment variables that the engine uses, and the processors of the process. */
#pragma once

#include <array>

#include "polymask/config.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

/* The beginning of a variable's text, empty if it is not set. No valid name is longer. */
using Variable = std::array<char, 64>;

struct Environment {
    Variable instruction_set{}; /* POLYMASK_ISA */
    Variable stores{};          /* POLYMASK_STORES */
    int threads = 0;            /* OMP_NUM_THREADS; 0 if it is not set to a number */

    bool operator==(const Environment &) const = default;
};

/* Returns the environment as last read, by `read_environment` or by the first call. The object is
 * never changed or freed. */
const Environment &environment() noexcept;

/* Returns the number of processors that the process may use: those in the affinity mask, but no
 * more than the quota rounded up. */
int processors(double quota) noexcept;

/* Returns the number of threads for a duration of work, at least 1: `requested`, at most four per
 * processor; 0 leaves the choice to the engine. */
int choose_threads(int requested, double microseconds) noexcept;

} // namespace polymask::inline POLYMASK_ABI::detail
