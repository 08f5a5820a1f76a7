/* Allocations that fail. */
#pragma once

namespace polymask::test
{

/* While it is false, operator new throws std::bad_alloc in this thread. */
extern constinit thread_local bool has_memory;

} // namespace polymask::test
