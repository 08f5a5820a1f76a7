/** @file polymask.hpp
 *  Exact polygon masks: the samples of a raster that lie inside a polygon, equal to the rule in
 *  polymask/inside_polygon.h in every byte, at about one store per pixel.
 *
 *  Conventions. A vertex is a pair (x, y) of doubles in pixels; x runs along a row, y counts rows
 *  and grows downwards. The sample of element [row, column] in a mask is the point
 *  (column + column_offset, row + row_offset), plus (0.5, 0.5) with Options::center, as doubles.
 *  Samples are exact up to 2^53, or 2^52 with center; beyond, neighbours may coincide. Filling is
 *  even-odd over all edges of all rings; Options::border decides whether a sample that equals a
 *  vertex is inside.
 *
 *  Several threads may call every function at the same time if the outputs do not overlap. All
 *  functions are safe after fork. Threads start when a call first needs them, and sleep between
 *  calls. If the system cannot start threads, a call uses fewer.
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

/** A polygon of one or more rings (outer rings and holes). A view: it owns no memory. */
struct Polygon {
    /** x0, y0, x1, y1, ...: finite, in pixels. In each ring the last vertex joins the first; a
     *  closing vertex that repeats the first has no effect. At most 2^30 vertices. */
    std::span<const double> vertices;
    /** Index of each ring's first vertex, ascending from 0. If empty, there is one ring. */
    std::span<const std::int64_t> ring_starts = {};
};

/** The code that fills the mask. The mask does not depend on it. */
enum class InstructionSet {
    automatic, /**< POLYMASK_ISA if that is set, else the widest set of this processor */
    plain,     /**< 64-bit words, any processor */
    avx2,
    avx512, /**< AVX-512 F, BW, DQ and VL */
    neon,   /**< every aarch64 processor */
};

/** The kind of store to memory. The mask does not depend on it. */
enum class Stores {
    automatic,  /**< POLYMASK_STORES if that is set, else by size of the mask and processor */
    cached,     /**< ordinary stores */
    prefetched, /**< ordinary stores after a write prefetch */
    streaming,  /**< bypass the caches; needs AVX2 or AVX-512, else `cached` */
};

/** The points that belong to a pixel's square. */
enum class Squares {
    closed, /**< interior and borders: a polygon that ends on a border touches both sides */
    open,   /**< only the interior */
};

/** Rows top .. bottom - 1 and columns left .. right - 1 of a mask; may be empty. */
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
    /** The edges decide about a sample that equals a vertex, as about any other. If polygons tile
     *  the plane, every sample is in exactly one; vertices that are not integers need
     *  Options::watertight for this, and samples where a polygon is thinner than its rounding are
     *  an exception. */
    half_open,
};

/** Options for filling. The defaults are right for most callers. All functions take these options,
 *  and each ignores those that it does not use, unless documented otherwise. */
struct Options {
    /* The samples. */
    Border border = Border::inside;
    bool center = false;     /**< sample at (x + 0.5, y + 0.5) */
    bool watertight = false; /**< compute each edge's crossings from its end with the smaller y, in
                                  any direction: polygons that share edges leave no gap */
    std::int64_t row_offset = 0;    /**< y of the first row's samples */
    std::int64_t column_offset = 0; /**< x of the first column's samples */

    /* The image that is written. */
    bool out_is_zero = false; /**< `out` contains only zeros: all-zero runs are not written, and a
                                   mask is not accessed above and below bounding_box(), nor beside
                                   it if it is at most half as wide as the mask */
    /** If set: a box outside of which `out` contains only zeros, before the call and after it. The
     *  call zeroes what the box contains, draws the polygon, and stores bounding_box() here (for
     *  squares, a slightly larger box), for the next polygon in the same memory. Nothing else is
     *  accessed, as with out_is_zero, which must not be set: an empty box says the same. If the
     *  call fails, the box contains what it may have written, too. For fill_mask, fill_packed,
     *  fill_touched and coverage; functions that write other images reject it. */
    Box *dirty = nullptr;
    std::int64_t row_stride = 0; /**< from row to row of `out`, in elements (in bytes for a packed
                                      mask), for rows of a larger array, between which nothing is
                                      written. 0: no gaps between rows */

    /* The work. */
    int threads = 0; /**< their maximum, see most_threads(); 0: one below half a million pixels and
                          for work of up to 40 microseconds, else most_threads() */
    InstructionSet instruction_set = InstructionSet::automatic;
    Stores stores = Stores::automatic;

    /** If set, selects all pixels whose square a polygon touches (touched.hpp), not samples inside.
     *  Border and watertight then have no effect, and offsets are limited as there. For many
     *  polygons, fill_touched (default: Squares::closed) and bounding_box; masks of one polygon
     *  reject it. */
    std::optional<Squares> touched = {};
};

/** Fills a mask of one byte per sample: 1 inside, 0 outside.
 *  @param out  rows * cols bytes, C order; every byte is written, at any alignment. With
 *              Options::row_stride at least (rows - 1) * row_stride + cols.
 *  @throws std::invalid_argument  with the first error: a coordinate that is not finite, a ring of
 *          fewer than 3 vertices, invalid ring starts, a shape that is negative or exceeds the
 *          address space, a wrong size of `out`, a row_stride less than the length of a row,
 *          offsets beyond 64 bits, negative threads, or an enumerator that an enum has not.
 *          Nothing is written then.
 *  @throws std::runtime_error  if the instruction set (or POLYMASK_ISA) is unknown or this
 *          processor lacks it, or POLYMASK_STORES is unknown. Nothing is written then.
 *  @throws std::bad_alloc  if work memory cannot be allocated (size: see the README). Nothing is
 *          written then, except by masks of more than 2^20 columns or 2^30 rows, which are filled
 *          in parts. */
POLYMASK_API void fill_mask(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                            std::span<std::uint8_t> out, const Options &options = {});

/** Returns a box outside of which a mask is 0, at a fraction of a nanosecond per vertex.
 *  @return  all rows and columns if the window reaches beyond 2^50 and the polygon beyond 2^40.
 *  @throws std::invalid_argument  as fill_mask does. */
[[nodiscard]] POLYMASK_API Box bounding_box(const Polygon &polygon, std::int64_t rows,
                                            std::int64_t cols, const Options &options = {});

/** Returns the number of bytes in one row of a packed mask, (cols + 7) / 8. */
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

// A template, because `{}` must mean Options.
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

/** The result of a function that does not throw. */
enum class Status {
    ok,
    out_of_memory, /**< as std::bad_alloc */
    unavailable,   /**< as std::runtime_error; nothing was written */
    interrupted,   /**< as Interrupted, see interruption.hpp; the output is written in part */
};

/** fill_mask for callers that have checked polygon, shape, offsets and the size of `out`
 *  themselves: input that fill_mask would reject is undefined behaviour. */
[[nodiscard]] POLYMASK_API Status fill_mask_unchecked(const Polygon &polygon, std::int64_t rows,
                                                      std::int64_t cols, std::uint8_t *out,
                                                      const Options &options = {}) noexcept;

/** fill_packed for checked input. */
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

/** Returns the version of the linked library; POLYMASK_VERSION is that of the headers. */
[[nodiscard]] POLYMASK_API const char *version() noexcept;

/** Returns the instruction sets that this processor supports and this library contains, widest
 *  first; `plain` is always among them. */
[[nodiscard]] POLYMASK_API std::vector<InstructionSet> available_instruction_sets();

/** Returns the current meaning of `automatic`.
 *  @throws std::runtime_error  if POLYMASK_ISA is unknown or unavailable. */
[[nodiscard]] POLYMASK_API InstructionSet active_instruction_set();

/** Reads POLYMASK_ISA, POLYMASK_STORES and OMP_NUM_THREADS again. The library reads them when it is
 *  first used, not in each call: on most systems, a program must not change a variable while
 *  another thread reads one. */
POLYMASK_API void read_environment() noexcept;

/** Returns "automatic", "plain", "avx2", "avx512" or "neon". */
[[nodiscard]] POLYMASK_API const char *name(InstructionSet set) noexcept;

/** Returns "automatic", "cached", "prefetched" or "streaming". */
[[nodiscard]] POLYMASK_API const char *name(Stores stores) noexcept;

/** Returns the maximum number of threads of a call whose Options::threads is `requested`. For 0, it
 *  is OMP_NUM_THREADS if that is set, as in other libraries, else the number of processors in the
 *  affinity mask, or the CPU quota of the container (cgroup), rounded up, if that is less. Requests
 *  are limited to four for each processor in the mask. Small calls use one thread. */
[[nodiscard]] POLYMASK_API int most_threads(int requested = 0) noexcept;

/** The choices for a mask. */
struct Choice {
    InstructionSet instruction_set;
    Stores stores;
    int threads;
};

/** Returns the choices of fill_mask for this call.
 *  @throws  as fill_mask does. */
[[nodiscard]] POLYMASK_API Choice choose(const Polygon &polygon, std::int64_t rows,
                                         std::int64_t cols, const Options &options = {});

/** Returns the choices in one line, such as "avx512, streaming stores, 2 threads". */
[[nodiscard]] POLYMASK_API std::string describe(const Choice &choice);

} // namespace polymask
