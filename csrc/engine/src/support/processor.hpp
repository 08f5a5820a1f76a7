/* What compilers and processors offer beyond the standard: hints about memory, and how a thread
 * rounds. */
#pragma once

#include <atomic>
#include <cstdint>

#include "../../extensions.h"

#if defined(__SSE2__) || defined(_M_X64)
#include <xmmintrin.h>
#elif !defined(__aarch64__) || defined(_MSC_VER)
#include <cfenv>
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

/* While one lives, its thread rounds to nearest, and takes no small number for 0, as a program
 * begins and as the rule is meant. Then comes back what there was. A library that was linked with
 * -ffast-math has small numbers taken for 0 in the thread that loads it, and in all that this one
 * starts; fesetround() rounds otherwise. */
class ScopedRounding
{
  public:
    ScopedRounding() noexcept : before_(modes())
    {
        if (!is_plain(before_))
            set(plain(before_));
        std::atomic_signal_fence(std::memory_order_seq_cst); /* no compiler moves numbers past it */
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
    static constexpr Modes flags = 0x3f, usual = 0x1f80; /* of MXCSR: what came up; its beginning */

    static Modes modes() noexcept { return _mm_getcsr(); }
    static bool is_plain(Modes modes) noexcept { return (modes & ~flags & 0xffff) == usual; }
    static Modes plain(Modes modes) noexcept { return (modes & ~Modes{0xffff}) | usual; }
    static void set(Modes modes) noexcept { _mm_setcsr(modes); }
#elif defined(__aarch64__) && !defined(_MSC_VER)
    using Modes = std::uint64_t;
    static constexpr Modes other = 0x1c00001; /* of FPCR: FZ, RMode, and FIZ of newer ones */

    static Modes modes() noexcept
    {
        Modes found;
        asm volatile("mrs %0, fpcr" : "=r"(found));
        return found;
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
