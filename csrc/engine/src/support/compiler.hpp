/* What compilers offer beyond the standard. Without it everything is as right, and slower. */
#pragma once

#include "../../extensions.h"

#if !defined(POLYMASK_GNU) && defined(_M_X64)
#include <xmmintrin.h>
#endif

namespace polymask::detail
{

/* Has a compiler load what was stored, where it would rather take vectors apart in registers. */
template <class T> inline void through_memory([[maybe_unused]] T &object) noexcept
{
#ifdef POLYMASK_GNU
    asm volatile("" : "+m"(object));
#endif
}

/* Hints that the line at an address is wanted soon. */
#if defined(POLYMASK_GNU)
constexpr bool has_prefetch = true;
inline void prefetch_to_read(const void *address) noexcept
{
    __builtin_prefetch(address);
}
inline void prefetch_to_write(void *address) noexcept
{
    __builtin_prefetch(address, 1);
}
#elif defined(_M_X64)
constexpr bool has_prefetch = true;
inline void prefetch_to_read(const void *address) noexcept
{
    _mm_prefetch(static_cast<const char *>(address), _MM_HINT_T0);
}
inline void prefetch_to_write(void *address) noexcept
{
    prefetch_to_read(address);
}
#else
constexpr bool has_prefetch = false;
inline void prefetch_to_read(const void *) noexcept {}
inline void prefetch_to_write(void *) noexcept {}
#endif

} // namespace polymask::detail
