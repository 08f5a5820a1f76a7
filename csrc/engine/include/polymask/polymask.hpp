/** @file polymask.hpp
 *  Exact polygon masks: the samples of a raster that lie inside a polygon, equal to the rule in
 *  polymask/inside_polygon.h in every byte, at about one store per pixel.
 *
 *  Conventions. A vertex is a pair (x, y) of doubles in pixels; x runs along a row, y counts rows
 *  and grows downwards. The samples of a mask are those of its Grid, as doubles. They are exact up
 *  to 2^53, or 2^52 with Grid::center; beyond, neighbours may coincide. Filling is even-odd over
 * all edges of all rings; Rule::border decides whether a sample that equals a vertex is inside.
 *
 *  Several threads may call every function at the same time if the outputs do not overlap. All
 *  functions are safe after fork. Threads start when a call first needs them, and sleep between
 *  calls. If the system cannot start threads, a call uses fewer.
 */
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "polymask/options.hpp"

namespace polymask::inline POLYMASK_ABI
{

/** A polygon of one or more rings (outer rings and holes). A view: it owns no memory. */
struct Polygon {
    /** x0, y0, x1, y1, ...: finite, in pixels. In each ring the last vertex joins the first; a
     *  closing vertex that repeats the first has no effect. At most 2^30 vertices. */
    std::span<const double> vertices;
    /** Index of each ring's first vertex, ascending from 0. If empty, there is one ring. */
    std::span<const std::int64_t> ring_starts = {};
};

/** Fills a mask of one byte per sample: 1 inside, 0 outside.
 *  @param out  rows * cols bytes, C order; every byte is written, at any alignment. With
 *              Output::row_stride at least (rows - 1) * row_stride + cols.
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
POLYMASK_API void fill_mask(const Polygon &polygon, const Grid &grid, std::span<std::uint8_t> out,
                            const Rule &rule = {}, const Output &output = {},
                            const Work &work = {});

/** Returns a box outside of which a mask is 0, by any rule or for squares (a slightly larger box),
 * at a fraction of a nanosecond per vertex.
 *  @return  all rows and columns if the window reaches beyond 2^50 and the polygon beyond 2^40.
 *  @throws std::invalid_argument  as fill_mask does. */
[[nodiscard]] POLYMASK_API Box bounding_box(const Polygon &polygon, const Grid &grid,
                                            const Selection &selection = {});

/** Returns the number of bytes in one row of a packed mask, (cols + 7) / 8. */
[[nodiscard]] constexpr std::int64_t packed_row_bytes(std::int64_t cols) noexcept
{
    return cols / 8 + (cols % 8 != 0);
}

/** Fills a mask of one bit per sample: numpy.packbits(mask, axis=1, bitorder="little").
 *  @param out  rows * packed_row_bytes(cols) bytes; the bits that pad a row are 0.
 *  @throws  as fill_mask does. */
POLYMASK_API void fill_packed(const Polygon &polygon, const Grid &grid, std::span<std::uint8_t> out,
                              const Rule &rule = {}, const Output &output = {},
                              const Work &work = {});

/** Tests points by the same rule.
 *  @param points  x0, y0, x1, y1, ...: any finite numbers.
 *  @param out     one byte per point: 1 inside, 0 outside.
 *  @throws std::invalid_argument  as fill_mask does, for a point that is not finite, and for an
 *          instruction set or stores, as there is no choice. */
POLYMASK_API void contains(const Polygon &polygon, std::span<const double> points,
                           std::span<std::uint8_t> out, const Rule &rule = {},
                           const Work &work = {});

/** The result of a function that does not throw. */
enum class Status {
    ok,
    invalid,       /**< as std::invalid_argument; nothing was written */
    unavailable,   /**< as std::runtime_error; nothing was written */
    out_of_memory, /**< as std::bad_alloc */
    interrupted,   /**< as Interrupted, see interruption.hpp; the output is written in part */
    failed,        /**< as any other exception; the output may be written in part */
};

/** A status and its message. */
struct Outcome {
    Status status = Status::ok;
    char message[256]; /**< one line, truncated if it is too long; empty if ok */

    Outcome() noexcept { message[0] = '\0'; }
    explicit operator bool() const noexcept { return status == Status::ok; }
};

/** fill_mask for programs without exceptions, with the same checks. polymask.h has further
 * functions of this kind. */
[[nodiscard]] POLYMASK_API Outcome try_fill_mask(const Polygon &polygon, const Grid &grid,
                                                 std::span<std::uint8_t> out, const Rule &rule = {},
                                                 const Output &output = {},
                                                 const Work &work = {}) noexcept;

/** fill_mask for callers that have checked polygon, shape, offsets and the size of `out`
 *  themselves: input that fill_mask would reject is undefined behaviour. */
[[nodiscard]] POLYMASK_API Status fill_mask_unchecked(const Polygon &polygon, const Grid &grid,
                                                      std::uint8_t *out, const Rule &rule = {},
                                                      const Output &output = {},
                                                      const Work &work = {}) noexcept;

/** fill_packed for checked input. */
[[nodiscard]] POLYMASK_API Status fill_packed_unchecked(const Polygon &polygon, const Grid &grid,
                                                        std::uint8_t *out, const Rule &rule = {},
                                                        const Output &output = {},
                                                        const Work &work = {}) noexcept;

/** bounding_box for checked input. */
[[nodiscard]] POLYMASK_API Box bounding_box_unchecked(const Polygon &polygon, const Grid &grid,
                                                      const Selection &selection = {}) noexcept;

/** contains for checked input; `count` points. It needs no memory.
 *  @return  ok, or interrupted. */
POLYMASK_API Status contains_unchecked(const Polygon &polygon, const double *points,
                                       std::int64_t count, std::uint8_t *out, const Rule &rule = {},
                                       const Work &work = {}) noexcept;

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

/** Returns the maximum number of threads of a call whose Work::threads is `requested`. For 0, it
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
[[nodiscard]] POLYMASK_API Choice choose(const Polygon &polygon, const Grid &grid,
                                         const Output &output = {}, const Work &work = {});

/** Returns the choices in one line, such as "avx512, streaming stores, 2 threads". */
[[nodiscard]] POLYMASK_API std::string describe(const Choice &choice);

} // namespace polymask::inline POLYMASK_ABI
