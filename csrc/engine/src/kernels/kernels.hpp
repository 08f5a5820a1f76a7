/* The code that exists once per instruction set, and the choice of one. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "coverage/squares.hpp"
#include "mask/bands.hpp"
#include "polymask/polymask.hpp"
#include "support/processor.hpp"

namespace polymask::detail
{

/* Operands for is_exact, which finds out what a compiler was told about arithmetic. */
struct Arithmetic {
    double a, b, negated;            /* -(a * b), rounded as the process rounds */
    double large, small, difference; /* large + small - large, each rounded */
    double dividends[4], divisor;    /* 49, 98, 196 and 392 by 49: 49 * (1 / 49) is not 1 */
    double nan, infinity;

    /* In whichever direction this process rounds. volatile: what the compiler knows, it
     * computes itself, and exactly; and each operation here is one alone. */
    static Arithmetic unknown_to_the_compiler() noexcept
    {
        const volatile double a = 1 + 0x1p-30, b = 1 - 0x1p-30; /* a * b has to be rounded */
        const volatile double product = a * b;
        const volatile double large = 0x1p60, small = 1; /* and so has their sum */
        const volatile double sum = large + small, difference = sum - large;
        const volatile double divisor = 49;
        const volatile double nan = std::numeric_limits<double>::quiet_NaN();
        const volatile double infinity = std::numeric_limits<double>::infinity();
        return {a,       b,   -product, large, small, difference, {49, 98, 196, 392},
                divisor, nan, infinity};
    }
};

constexpr int prefetch_distance = 1536; /* bytes; 1 to 2 KiB measured alike */

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

/* The kernels of an instruction set, or of the one that `automatic` stands for.
 * Throws std::runtime_error when it is unknown or missing. */
const Kernels &choose_kernels(InstructionSet requested);

/* The strategy for a mask of so many bytes. Throws std::runtime_error when POLYMASK_STORES is not
 * the name of one. */
Stores choose_stores(Stores requested, InstructionSet set, std::size_t bytes);

} // namespace polymask::detail
