/* What the process is given: variables of the environment that the engine obeys, and processors. */
#pragma once

#include <array>

namespace polymask::detail
{

/* A variable's beginning, a text; empty where it is not set. What is longer is no name of ours. */
using Variable = std::array<char, 64>;

struct Environment {
    Variable instruction_set{}; /* POLYMASK_ISA */
    Variable stores{};          /* POLYMASK_STORES */
    int threads = 0;            /* OMP_NUM_THREADS; 0 where it is not set to a number */

    bool operator==(const Environment &) const = default;
};

/* As it was read last, by `read_environment` or by the first who asked. It stays as it is for good.
 */
const Environment &environment() noexcept;

/* Threads for so many microseconds of work: `requested`, but at most four for each processor; 0
 * leaves the choice. At least 1. */
int choose_threads(int requested, double microseconds) noexcept;

} // namespace polymask::detail
