/* The limits of the process's control groups (cgroups): Linux limits a container by them. */
#pragma once

#include <cstdint>

#include "polymask/config.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

/* Both functions read the files each time: those below `root`, a folder for tests, or the system's.
 * A group shares the limits of the groups around it, so the result is the smallest of them. */

/* Returns the number of processors whose time the process may use, infinity without a quota. */
double cpu_quota(const char *root = "") noexcept;

/* Returns the limit of memory in bytes, the largest number without a limit. */
std::int64_t memory_limit(const char *root = "") noexcept;

} // namespace polymask::inline POLYMASK_ABI::detail
