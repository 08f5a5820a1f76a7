/** @file polymask.hpp
 *  Exact polygon masks: which samples of a raster lie inside a polygon, equal to the rule of
 *  inside_polygon.h in every byte, at about one store per pixel.
 *
 *  Conventions. A vertex is a pair (x, y) of doubles in pixels; x runs along a row, y counts rows
 *  and grows downwards. The sample of element [row, column] of a mask is the point
 *  (column + column_offset, row + row_offset), plus (0.5, 0.5) with Options::center, as doubles:
 *  exact up to 2^53, or with center 2^52; beyond, neighbours may be one. Filling is
 *  even-odd over all edges of all rings; of a sample that equals a vertex Options::border says
 *  whether it is inside.
 *
 *  Every function may be called from many threads at once, as long as outputs do not overlap, and
 *  in a process that was forked, whatever its parent did. Threads are started when a call first
 *  wants them, and sleep between calls. Where the system has none, a call does without.
 */
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "polymask/config.hpp"

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

/** What belongs to a pixel's square. */
enum class Squares {
    closed, /**< its borders, too: a polygon that ends on a border touches both sides */
    open,   /**< its inside alone */
};

/** Rows top .. bottom - 1 and columns left .. right - 1 of a mask; maybe none. */
struct Box {
    std::int64_t top = 0, bottom = 0, left = 0, right = 0;

    std::int64_t rows() const noexcept { return bottom - top; }
    std::int64_t cols() const noexcept { return right - left; }
    bool operator==(const Box &) const = default;
};

/** Whether a sample that equals a vertex is inside. */
enum class Border {
    inside,
    outside,
    /** No sample is special: one that equals a vertex is decided by the edges, like all others. Of
     *  polygons that tile the plane, every sample is in one; between real-valued vertices with
     *  Options::watertight, and then except for samples where one is thinner than its rounding. */
    half_open,
};

/** How to fill. The defaults are right for most callers. All functions take these options, and
 *  each ignores those that it has no use for, unless something else is said. */
struct Options {
    /* The samples. */
    Border border = Border::inside;
    bool center = false;     /**< sample at (x + 0.5, y + 0.5) */
    bool watertight = false; /**< each edge's crossings from its end of smaller y, whichever way it
                                  runs: polygons that share edges leave no gap */
    std::int64_t row_offset = 0;    /**< y of the first row's samples */
    std::int64_t column_offset = 0; /**< x of the first column's samples */

    /* The image that is written. */
    bool out_is_zero = false; /**< `out` holds zeros only: all-zero runs are not written, and of a
                                   mask nothing is touched above, below and, where it is at most
                                   half as wide as the mask, beside bounding_box() */
    std::int64_t row_stride = 0; /**< of `out`, from row to row, in elements (of a packed mask:
                                      bytes): rows of a larger array. Between them nothing is
                                      written. 0: they follow each other */

    /* The work. */
    int threads = 0; /**< at most so many, see most_threads(); 0: one below half a million pixels
                          and for what one fills in about 40 microseconds, else most_threads() */
    InstructionSet instruction_set = InstructionSet::automatic;
    Stores stores = Stores::automatic;

    /** Not the samples inside, but all pixels whose square a polygon touches (touched.hpp). Border
     *  and watertight change nothing then, and offsets are limited as there. For fill_touched,
     * where none is Squares::closed, and for many polygons; a mask of one polygon refuses it. */
    std::optional<Squares> touched = {};
};

/** Fills a mask of one byte per sample: 1 inside, 0 outside.
 *  @param out  rows * cols bytes, C order; every byte is written, at any alignment. With
 *              Options::row_stride at least (rows - 1) * row_stride + cols.
 *  @throws std::invalid_argument  naming the first thing wrong: a coordinate that is not finite, a
 *          ring of fewer than 3 vertices, bad ring starts, a negative shape or one beyond the
 *          address space, a wrong size of `out`, a row_stride
 *          below the length of a row, offsets beyond 64 bits, negative threads. Nothing
 *          is written then.
 *  @throws std::runtime_error  when the instruction set (or POLYMASK_ISA) is unknown or this
 *          processor lacks it, or POLYMASK_STORES is unknown. Nothing is written then.
 *  @throws std::bad_alloc  when work memory cannot be had (see the README for its size). Nothing is
 *          written then, except by masks of more than 2^20 columns or 2^30 rows, which are filled
 *          in parts. */
POLYMASK_API void fill_mask(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                            std::span<std::uint8_t> out, const Options &options = {});

/** Outside of which box a mask is 0. It costs a fraction of a nanosecond per vertex.
 *  @return  all rows and columns where the window reaches beyond 2^50 and the polygon beyond 2^40.
 *  @throws std::invalid_argument  as fill_mask does. */
[[nodiscard]] POLYMASK_API Box bounding_box(const Polygon &polygon, std::int64_t rows,
                                            std::int64_t cols, const Options &options = {});

/** Bytes of one row of a packed mask: (cols + 7) / 8. */
[[nodiscard]] constexpr std::int64_t packed_row_bytes(std::int64_t cols) noexcept
{
    return cols / 8 + (cols % 8 != 0);
}

/** Fills a mask of one bit per sample: numpy.packbits(mask, axis=1, bitorder="little").
 *  @param out  rows * packed_row_bytes(cols) bytes; the bits that pad a row are 0.
 *  @throws  as fill_mask does. */
POLYMASK_API void fill_packed(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                              std::span<std::uint8_t> out, const Options &options = {});

/** Tests points by the same rule.
 *  @param points  x0, y0, x1, y1, ...: any finite numbers.
 *  @param out      one byte per point: 1 inside, 0 outside.
 *  @param options  border, watertight and threads.
 *  @throws std::invalid_argument  as fill_mask does, and for a point that is not finite. */
POLYMASK_API void contains(const Polygon &polygon, std::span<const double> points,
                           std::span<std::uint8_t> out, const Options &options = {});

// A template, for `{}` means Options.
template <std::integral Bool>
[[deprecated("takes Options")]] inline void
contains(const Polygon &polygon, std::span<const double> points, std::span<std::uint8_t> out,
         Bool border_value, int threads = 0, bool watertight = false, bool half_open = false)
{
    const Border border = half_open      ? Border::half_open
                          : border_value ? Border::inside
                                         : Border::outside;
    contains(polygon, points, out,
             {.border = border, .watertight = watertight, .threads = threads});
}

/** What a call that does not throw says instead. */
enum class Status {
    ok,
    out_of_memory, /**< as std::bad_alloc */
    unavailable,   /**< as std::runtime_error; nothing was written */
    interrupted,   /**< as Interrupted, see interruption.hpp; the output is written in part */
};

/** fill_mask for callers that have checked polygon, shape, offsets and the size of `out`
 *  themselves: what fill_mask would refuse is undefined behaviour here. */
[[nodiscard]] POLYMASK_API Status fill_mask_unchecked(const Polygon &polygon, std::int64_t rows,
                                                      std::int64_t cols, std::uint8_t *out,
                                                      const Options &options = {}) noexcept;

/** fill_packed, likewise. */
[[nodiscard]] POLYMASK_API Status fill_packed_unchecked(const Polygon &polygon, std::int64_t rows,
                                                        std::int64_t cols, std::uint8_t *out,
                                                        const Options &options = {}) noexcept;

/** bounding_box for checked input. */
[[nodiscard]] POLYMASK_API Box bounding_box_unchecked(const Polygon &polygon, std::int64_t rows,
                                                      std::int64_t cols,
                                                      const Options &options = {}) noexcept;

/** contains for checked input; `count` points. It needs no memory.
 *  @return  ok, or interrupted. */
POLYMASK_API Status contains_unchecked(const Polygon &polygon, const double *points,
                                       std::int64_t count, std::uint8_t *out,
                                       const Options &options = {}) noexcept;

/** The version of the library that was linked, as POLYMASK_VERSION is that of the headers. */
[[nodiscard]] POLYMASK_API const char *version() noexcept;

/** The instruction sets that this processor can run and this library was built with, widest
 *  first; `plain` is always among them. */
[[nodiscard]] POLYMASK_API std::vector<InstructionSet> available_instruction_sets();

/** What `automatic` means here and now.
 *  @throws std::runtime_error  when POLYMASK_ISA names one that is unknown or missing. */
[[nodiscard]] POLYMASK_API InstructionSet active_instruction_set();

/** Read POLYMASK_ISA, POLYMASK_STORES and OMP_NUM_THREADS again. The library reads them as it is
 *  used first, and not in each call: no program may change a variable while another of its threads
 *  reads one, unless its system says otherwise. */
POLYMASK_API void read_environment() noexcept;

/** "automatic", "plain", "avx2", "avx512" or "neon". */
[[nodiscard]] POLYMASK_API const char *name(InstructionSet set) noexcept;

/** "automatic", "cached", "prefetched" or "streaming". */
[[nodiscard]] POLYMASK_API const char *name(Stores stores) noexcept;

/** How many threads a call may have whose Options::threads is `requested`: of 0, OMP_NUM_THREADS if
 *  that is set, as for other libraries, else as many as the affinity mask allows processors; of
 *  others at most four times as many. It has one where more do not pay. */
[[nodiscard]] POLYMASK_API int most_threads(int requested = 0) noexcept;

/** What was chosen for a mask. */
struct Choice {
    InstructionSet instruction_set;
    Stores stores;
    int threads;
};

/** What fill_mask would choose for this call.
 *  @throws  as fill_mask does. */
[[nodiscard]] POLYMASK_API Choice choose(const Polygon &polygon, std::int64_t rows,
                                         std::int64_t cols, const Options &options = {});

/** The same in one line, such as "avx512, streaming stores, 2 threads". */
[[nodiscard]] POLYMASK_API std::string describe(const Choice &choice);

} // namespace polymask
