/* Allocations that fail. */
#pragma once

namespace polymask::test
{

/* Of this thread: while it is false, operator new throws std::bad_alloc. */
extern constinit thread_local bool has_memory;

} // namespace polymask::test
