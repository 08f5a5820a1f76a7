/* Allocations that fail. */
#pragma once

#include <atomic>

namespace polymask::test
{

/* While it is false, operator new throws std::bad_alloc in this thread. */
extern constinit thread_local bool has_memory;

/* Called by each allocation in any thread, if it is set; it may throw, as operator new then does.
 */
extern constinit std::atomic<void (*)()> on_allocation;

} // namespace polymask::test
