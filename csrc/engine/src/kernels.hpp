/* The code that exists once per instruction set. */
#pragma once

#include <cstdint>

#include "compiler.hpp"
#include "edges.hpp"
#include "layout.hpp"
#include "polymask/polymask.hpp"

namespace polymask::detail
{

/* Work memory for sorting a band's edges by strip; unused unless layout.ordered. */
struct StripOrder {
    std::uint32_t *edges, *sorted; /* EdgeTable::size() each */
    std::uint16_t *strips;         /* EdgeTable::size() */
    std::uint32_t *starts;         /* Layout::strips() + 1 */
};

struct Kernels {
    InstructionSet instruction_set;

    /* Toggles the bit of every crossing of the band. `bits` is zero before. */
    void (*toggle)(const EdgeTable &, const Layout &, const Band &, std::uint64_t *bits,
                   const StripOrder &) noexcept;
    /* Writes the band's samples, as bytes or as bits, and leaves `bits` zero again. */
    void (*write_bytes)(std::uint64_t *bits, const Layout &, const Band &, Stores,
                        bool out_is_zero) noexcept;
    void (*write_packed)(std::uint64_t *bits, const Layout &, const Band &,
                         bool out_is_zero) noexcept;
};

extern const Kernels plain_kernels;
/* Not on Windows: GCC keeps vectors of 32 bytes on a stack that Windows aligns to 16 (its bug
 * 54412), which ends the program. */
#if defined(__x86_64__) && defined(POLYMASK_GNU) && !defined(_WIN32)
#define POLYMASK_X86 1
extern const Kernels avx2_kernels, avx512_kernels;
#endif
#if defined(__AARCH64EL__) && defined(__ARM_NEON) && defined(POLYMASK_GNU)
#define POLYMASK_NEON 1
extern const Kernels neon_kernels;
#endif

} // namespace polymask::detail
