/* The code that exists once per instruction set. */
#pragma once

#include <cstdint>

#include "coverage/coverage_sums.hpp"
#include "mask/edges.hpp"
#include "polymask/polymask.hpp"
#include "support/arithmetic.hpp"
#include "support/compiler.hpp"
#include "support/layout.hpp"

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
    /* Writes so many zeros. */
    void (*zero)(std::uint8_t *out, std::int64_t bytes, Stores) noexcept;
    /* A copy of the vertices, finite(), and Window::rows_up_to of each, in a window of at most 2^30
     * rows; whether one's y is that of a sample of these rows or of the row above. */
    bool (*vertex_rows)(const Window &, const double *vertices, std::int64_t count, double *copy,
                        std::int32_t *out) noexcept;
    /* The columns of an edge that crosses rows first .. end - 1 of a window of at most 2^30 rows
     * and columns: on each how many it toggles from the left. `out` has room for seven more. */
    void (*edge_columns)(const Window &, const double *p1, const double *p2, std::int32_t first,
                         std::int32_t end, std::int32_t *out) noexcept;
    /* Writes the numbers of the bits that are set in `count` words, the first one's plus `base`, in
     * order, leaves them zero, and returns how many they are. `out` has room for all bits and 64
     * more. */
    std::size_t (*take_bits)(std::uint64_t *words, std::int64_t count, std::int32_t base,
                             std::int32_t *out) noexcept;

    /* Adds what an edge covers, and writes the sums of one row as fractions. */
    void (*cover)(const CoverEdge &, const Window &, const CoverSums &) noexcept;
    void (*write_fractions)(std::uint32_t *sums, std::int64_t cols, float *out,
                            bool out_is_zero) noexcept;

    /* Whether operations are rounded one by one, and NaN and infinity are honoured. */
    bool (*is_exact)(const Arithmetic &) noexcept;
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
