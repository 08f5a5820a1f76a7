/* The code that is compiled once per instruction set, and the choice of a set. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "coverage/squares.hpp"
#include "mask/bands.hpp"
#include "polymask/polymask.hpp"
#include "support/processor.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

/* Operands for is_exact, which tests the arithmetic that the compiler was allowed to use. */
struct Arithmetic {
    double a, b, negated;            /* -(a * b), rounded as the process rounds */
    double large, small, difference; /* large + small - large, each rounded */
    double dividends[4], divisor;    /* 49, 98, 196 and 392 by 49: 49 * (1 / 49) is not 1 */
    double nan, infinity;

    /* For any rounding direction of the process. The operands are volatile because a compiler
     * evaluates known ones itself, exactly; each operation is separate. */
    static Arithmetic unknown_to_the_compiler() noexcept
    {
        const volatile double a = 1 + 0x1p-30, b = 1 - 0x1p-30; /* a * b must be rounded */
        const volatile double product = a * b;
        const volatile double large = 0x1p60, small = 1; /* and their sum, too */
        const volatile double sum = large + small, difference = sum - large;
        const volatile double divisor = 49;
        const volatile double nan = std::numeric_limits<double>::quiet_NaN();
        const volatile double infinity = std::numeric_limits<double>::infinity();
        return {a,       b,   -product, large, small, difference, {49, 98, 196, 392},
                divisor, nan, infinity};
    }
};

/* Runs of pixels, whose columns are counted from `line` in row 0, with `pitch` bytes from row to
 * row. Run i lies in row i, between ends[i * step] and other_ends[i * step], in any order; with a
 * pitch of 0, all runs lie in one row. */
struct PaintedRuns {
    std::uint8_t *line;
    std::int64_t pitch;
    const std::int32_t *ends, *other_ends;
    std::int64_t step, count;
};

constexpr int prefetch_distance = 1536; /* bytes; all distances of 1 to 2 KiB are equally fast */

struct Kernels {
    InstructionSet instruction_set;
    bool has_tiles; /* for Layout */

    /* Toggles the bits of all crossings in the band. `bits` must be zero before. */
    void (*toggle)(const EdgeTable &, const Layout &, const Band &, std::uint64_t *bits) noexcept;
    /* Writes the band's samples as bytes or as bits, and sets `bits` to zero again. */
    void (*write_bytes)(std::uint64_t *bits, const Layout &, const Band &, Stores,
                        bool out_is_zero) noexcept;
    void (*write_packed)(std::uint64_t *bits, const Layout &, const Band &,
                         bool out_is_zero) noexcept;
    /* Returns the words of a row, which begins at bit Band::first_bit_of(row), in a layout that is
     * not dense. The rows of a band are to be taken in order, and set to zero. */
    std::uint64_t *(*take_run)(std::uint64_t *bits, const Layout &, const Band &,
                               std::int64_t row) noexcept;
    /* Writes zeros. */
    void (*zero)(std::uint8_t *out, std::int64_t bytes, Stores) noexcept;
    /* Copies the vertices with finite(), and computes Window::rows_up_to for each, in a window of
     * at most 2^30 rows; returns whether a vertex has the y of one of them or of the row above. */
    bool (*vertex_rows)(const Window &, const double *vertices, std::int64_t count, double *copy,
                        std::int32_t *out) noexcept;
    /* Computes, for each of the rows first .. end - 1 that an edge crosses, the number of columns
     * that it toggles from the left, in a window of at most 2^30 rows and columns. `out` has room
     * for seven more. */
    void (*edge_columns)(const Window &, const double *p1, const double *p2, std::int32_t first,
                         std::int32_t end, std::int32_t *out) noexcept;
    /* Writes the numbers of the set bits in `count` words, counted from `base`, in order, sets the
     * words to zero, and returns the number of bits. `out` has room for all bits and 64 more. */
    std::size_t (*take_bits)(std::uint64_t *words, std::int64_t count, std::int32_t base,
                             std::int32_t *out) noexcept;

    /* Fills runs with a label of 1, 2, 4 or 8 bytes, repeated in `bits`. */
    void (*paint)(const PaintedRuns &, std::uint64_t bits, int size) noexcept;

    /* Adds the area that an edge covers; writes the sums of one row as fractions. */
    void (*cover)(const CoverEdge &, const Window &, const CoverSums &) noexcept;
    void (*write_fractions)(std::uint32_t *sums, std::int64_t cols, float *out,
                            bool out_is_zero) noexcept;

    /* Returns whether each operation is rounded, and NaN and infinity are respected. */
    bool (*is_exact)(const Arithmetic &) noexcept;
};

extern const Kernels plain_kernels;
/* Not on Windows, where GCC stores vectors of 32 bytes on a stack that is aligned to 16 (GCC bug
 * 54412), which crashes the program. */
#if defined(__x86_64__) && defined(POLYMASK_GNU) && !defined(_WIN32)
#define POLYMASK_X86 1
extern const Kernels avx2_kernels, avx512_kernels;
#endif
#if defined(__AARCH64EL__) && defined(__ARM_NEON) && defined(POLYMASK_GNU)
#define POLYMASK_NEON 1
extern const Kernels neon_kernels;
#endif

/* Returns the kernels of an instruction set, or of the current one for `automatic`.
 * Throws std::runtime_error if it is unknown or unavailable. */
const Kernels &choose_kernels(InstructionSet requested);

/* Returns the kind of stores for a mask of this size. Throws std::runtime_error if POLYMASK_STORES
 * is unknown. */
Stores choose_stores(Stores requested, InstructionSet set, std::size_t bytes);

} // namespace polymask::inline POLYMASK_ABI::detail
