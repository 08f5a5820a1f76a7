/* How many threads, and whether there are any. */
#pragma once

#include <cstdint>

namespace polymask::detail
{

#ifdef _OPENMP
constexpr bool has_openmp = true;
#else
constexpr bool has_openmp = false;
#endif

/* Threads for so much work; `requested` 0 leaves the choice. At least 1. */
int choose_threads(int requested, std::int64_t pixels) noexcept;

} // namespace polymask::detail
