/* Features of compilers and processors beyond the standard: hints about memory, and the rounding
 * mode of a thread. */
#pragma once

#include <atomic>
#include <cstdint>

#include "polymask/portable.h"

#if defined(__SSE2__) || defined(_M_X64)
#include <xmmintrin.h>
#elif !defined(__aarch64__) || defined(_MSC_VER)
#include <cfenv>
#endif

namespace polymask::detail
{

/* Forces a load after a store, where a compiler would otherwise split vectors in registers. */
template <class T> inline void through_memory([[maybe_unused]] T &object) noexcept
{
#ifdef POLYMASK_GNU
    asm volatile("" : "+m"(object));
#endif
}

/* Hints that the cache line at an address will be needed soon. */
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

/* While such an object exists, its thread rounds to nearest and does not flush small numbers to 0,
 * as the rule requires and as programs begin; afterwards the old mode is restored. A library linked
 * with -ffast-math flushes small numbers in the thread that loads it, and in all threads that this
 * thread starts; fesetround() changes the rounding. */
class ScopedRounding
{
  public:
    ScopedRounding() noexcept : before_(modes())
    {
        if (!is_plain(before_))
            set(plain(before_));
        std::atomic_signal_fence(std::memory_order_seq_cst); /* arithmetic is not moved past it */
    }
    ~ScopedRounding()
    {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        if (!is_plain(before_))
            set(before_);
    }
    ScopedRounding(const ScopedRounding &) = delete;
    ScopedRounding &operator=(const ScopedRounding &) = delete;

  private:
#if defined(__SSE2__) || defined(_M_X64)
    using Modes = unsigned;
    static constexpr Modes flags = 0x3f, usual = 0x1f80; /* MXCSR's exception flags, and default */

    static Modes modes() noexcept { return _mm_getcsr(); }
    static bool is_plain(Modes modes) noexcept { return (modes & ~flags & 0xffff) == usual; }
    static Modes plain(Modes modes) noexcept { return (modes & ~Modes{0xffff}) | usual; }
    static void set(Modes modes) noexcept { _mm_setcsr(modes); }
#elif defined(__aarch64__) && !defined(_MSC_VER)
    using Modes = std::uint64_t;
    static constexpr Modes other = 0x1c00001; /* FPCR's FZ, RMode, and FIZ on newer processors */

    static Modes modes() noexcept
    {
        Modes modes;
        asm volatile("mrs %0, fpcr" : "=r"(modes));
        return modes;
    }
    static bool is_plain(Modes modes) noexcept { return (modes & other) == 0; }
    static Modes plain(Modes modes) noexcept { return modes & ~other; }
    static void set(Modes modes) noexcept
    {
        asm volatile("msr fpcr, %0" : : "r"(modes) : "memory");
    }
#else
    using Modes = int;

    static Modes modes() noexcept { return std::fegetround(); }
    static bool is_plain(Modes modes) noexcept { return modes == FE_TONEAREST; }
    static Modes plain(Modes) noexcept { return FE_TONEAREST; }
    static void set(Modes modes) noexcept { std::fesetround(modes); }
#endif

    const Modes before_;
};

} // namespace polymask::detail
