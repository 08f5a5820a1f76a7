/* How many threads, and whether there are any. */
#pragma once

namespace polymask::detail
{

#ifdef _OPENMP
constexpr bool has_openmp = true;
#else
constexpr bool has_openmp = false;
#endif

/* Threads for so many microseconds of work; `requested` 0 leaves the choice. At least 1. */
int choose_threads(int requested, double microseconds) noexcept;

} // namespace polymask::detail
