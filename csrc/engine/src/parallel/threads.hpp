/* How many threads. */
#pragma once

namespace polymask::detail
{

/* Threads for so many microseconds of work: `requested`, but at most four for each processor; 0
 * leaves the choice. At least 1. */
int choose_threads(int requested, double microseconds) noexcept;

} // namespace polymask::detail
