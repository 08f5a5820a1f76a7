/** @file polymask.hpp
 *  Exact polygon masks: which samples of a raster lie inside a polygon, equal to the rule of
 *  inside_polygon.h in every byte, at about one store per pixel.
 *
 *  Conventions. A vertex is a pair (x, y) of doubles in pixels; x runs along a row, y counts rows
 *  and grows downwards. The sample of element [row, column] of a mask is the point
 *  (column + column_offset, row + row_offset), plus (0.5, 0.5) with Options::center. Filling is
 *  even-odd over all edges of all rings; a sample that equals a vertex takes
 *  Options::border_value.
 *
 *  Every function may be called from many threads at once, as long as outputs do not overlap. A
 *  process that was forked asks for one thread: OpenMP's others did not come along, and a call that
 *  wants them may wait for ever.
 */
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace polymask
{

/** A polygon of one ring or more (outer rings and holes alike). A view: it owns nothing. */
struct Polygon {
    /** x0, y0, x1, y1, ...: finite, in pixels. In each ring the last vertex joins the first; a
     *  closing vertex that repeats the first changes nothing. At most 2^30 vertices. */
    std::span<const double> vertices;
    /** Index of each ring's first vertex, ascending, the first one 0. Empty: one ring. */
    std::span<const std::int64_t> ring_starts = {};
};

/** Which code fills the mask. The mask is the same with each. */
enum class InstructionSet {
    automatic, /**< POLYMASK_ISA if that is set, else the widest this processor has */
    plain,     /**< 64-bit words, any processor */
    avx2,
    avx512, /**< AVX-512 F, BW, DQ and VL */
    neon,   /**< every aarch64 processor */
};

/** How bytes reach memory. The mask is the same with each. */
enum class Stores {
    automatic,  /**< POLYMASK_STORES if that is set, else by size of the mask and processor */
    cached,     /**< ordinary stores */
    prefetched, /**< ordinary stores behind a write prefetch */
    streaming,  /**< past the caches; needs AVX2 or AVX-512, else `cached` */
};

/** How to fill. The defaults are right for most callers. */
struct Options {
    bool border_value = true;       /**< of a sample that equals a vertex */
    bool center = false;            /**< sample at (x + 0.5, y + 0.5) */
    std::int64_t row_offset = 0;    /**< y of the first row's samples */
    std::int64_t column_offset = 0; /**< x of the first column's samples */
    bool out_is_zero = false;       /**< `out` holds zeros only: all-zero runs are not written */
    int threads = 0;                /**< at most so many; 0: one below half a million pixels and
                                         for what one fills in about 40 microseconds, else as
                                         many as OpenMP and the affinity mask allow */
    InstructionSet instruction_set = InstructionSet::automatic;
    Stores stores = Stores::automatic;
};

/** Fills a mask of one byte per sample: 1 inside, 0 outside.
 *  @param out  rows * cols bytes, C order; every byte is written, at any alignment.
 *  @throws std::invalid_argument  naming the first thing wrong: a coordinate that is not finite, a
 *          ring of fewer than 3 vertices, bad ring starts, a negative shape or one beyond the
 *          address space, a wrong size of `out`, offsets beyond 64 bits, negative threads. Nothing
 *          is written then.
 *  @throws std::runtime_error  when the instruction set (or POLYMASK_ISA) is unknown or this
 *          processor lacks it, or POLYMASK_STORES is unknown. Nothing is written then.
 *  @throws std::bad_alloc  when work memory cannot be had (see the README for its size). Nothing is
 *          written then, except by masks of more than 2^20 columns or 2^30 rows, which are filled
 * in parts. */
void fill_mask(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
               std::span<std::uint8_t> out, const Options &options = {});

/** Bytes of one row of a packed mask: (cols + 7) / 8. */
[[nodiscard]] constexpr std::int64_t packed_row_bytes(std::int64_t cols) noexcept
{
    return cols / 8 + (cols % 8 != 0);
}

/** Fills a mask of one bit per sample: numpy.packbits(mask, axis=1, bitorder="little").
 *  @param out  rows * packed_row_bytes(cols) bytes; the bits that pad a row are 0.
 *  @throws  as fill_mask does. */
void fill_packed(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                 std::span<std::uint8_t> out, const Options &options = {});

/** Tests points by the same rule.
 *  @param points  x0, y0, x1, y1, ...: any finite numbers.
 *  @param out      one byte per point: 1 inside, 0 outside, border_value on a vertex.
 *  @param threads  as Options::threads.
 *  @throws std::invalid_argument  as fill_mask does, and for a point that is not finite. */
void contains(const Polygon &polygon, std::span<const double> points, std::span<std::uint8_t> out,
              bool border_value = true, int threads = 0);

/** What a call that does not throw says instead. */
enum class Status {
    ok,
    out_of_memory, /**< as std::bad_alloc */
    unavailable,   /**< as std::runtime_error; nothing was written */
};

/** fill_mask for callers that have checked polygon, shape, offsets and the size of `out`
 *  themselves: what fill_mask would refuse is undefined behaviour here. */
[[nodiscard]] Status fill_mask_unchecked(const Polygon &polygon, std::int64_t rows,
                                         std::int64_t cols, std::uint8_t *out,
                                         const Options &options = {}) noexcept;

/** fill_packed, likewise. */
[[nodiscard]] Status fill_packed_unchecked(const Polygon &polygon, std::int64_t rows,
                                           std::int64_t cols, std::uint8_t *out,
                                           const Options &options = {}) noexcept;

/** contains for checked input; `count` points. It needs no memory and cannot fail. */
void contains_unchecked(const Polygon &polygon, const double *points, std::int64_t count,
                        std::uint8_t *out, bool border_value = true, int threads = 0) noexcept;

/** The instruction sets that this processor can run and this library was built with, widest
 *  first; `plain` is always among them. */
[[nodiscard]] std::vector<InstructionSet> available_instruction_sets();

/** What `automatic` means here and now.
 *  @throws std::runtime_error  when POLYMASK_ISA names one that is unknown or missing. */
[[nodiscard]] InstructionSet active_instruction_set();

/** "automatic", "plain", "avx2", "avx512" or "neon". */
[[nodiscard]] const char *name(InstructionSet set) noexcept;

/** "automatic", "cached", "prefetched" or "streaming". */
[[nodiscard]] const char *name(Stores stores) noexcept;

/** What was chosen for a mask. */
struct Choice {
    InstructionSet instruction_set;
    Stores stores;
    int threads;
    bool openmp; /**< built with OpenMP */
};

/** What fill_mask would choose for this call.
 *  @throws  as fill_mask does. */
[[nodiscard]] Choice choose(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                            const Options &options = {});

/** The same in one line, such as "avx512, streaming stores, 2 threads (OpenMP)". */
[[nodiscard]] std::string describe(const Choice &choice);

} // namespace polymask
