/** @file options.hpp
 *  The arguments that many functions share: the samples, the rule, the output, and the work.
 *
 *  Each function takes only the structs that it uses, as Arrow's readers do, and uses each of their
 *  members, so that no option is ignored: one that it cannot honour is not a parameter, or is
 *  refused. They are aggregates for designated initializers, and separate arguments instead of base
 *  classes of one struct, because a designator cannot name the member of a base class:
 *
 *      fill_mask(polygon, {{18, 40}}, mask);
 *      fill_mask(polygon, {.shape = {18, 40}, .center = true}, mask, {.border = Border::outside});
 *      contains(polygon, points, inside, {.watertight = true}, {.threads = 2}); */
#pragma once

#include <cstdint>
#include <functional>
#include <variant>

#include "polymask/config.hpp"

namespace polymask::inline POLYMASK_ABI
{

/** The numbers of rows and columns of an image. */
struct Shape {
    std::int64_t rows = 0, cols = 0;
    bool operator==(const Shape &) const = default;
};

/** Rows top .. bottom - 1 and columns left .. right - 1 of a mask; may be empty. */
struct Box {
    std::int64_t top = 0, bottom = 0, left = 0, right = 0;

    std::int64_t rows() const noexcept { return bottom - top; }
    std::int64_t cols() const noexcept { return right - left; }
    bool operator==(const Box &) const = default;
};

/** The samples of an image: that of element [row, column] is the point
 *  (column + column_offset, row + row_offset), plus (0.5, 0.5) with `center`. */
struct Grid {
    Shape shape = {};
    bool center = false;            /**< sample at (x + 0.5, y + 0.5) */
    std::int64_t row_offset = 0;    /**< y of the first row's samples */
    std::int64_t column_offset = 0; /**< x of the first column's samples */
};

/** Whether a sample that equals a vertex is inside. */
enum class Border {
    inside,
    outside,
    /** The edges decide about a sample that equals a vertex, as about any other. If polygons tile
     *  the plane, every sample is in exactly one; vertices that are not integers need
     *  Rule::watertight for this, and samples where a polygon is thinner than its rounding are
     *  an exception. */
    half_open,
};

/** Which samples are inside. */
struct Rule {
    Border border = Border::inside;
    bool watertight = false; /**< compute each edge's crossings from its end with the smaller y, in
                                  any direction: polygons that share edges leave no gap */
    bool operator==(const Rule &) const = default;
};

/** The points that belong to a pixel's square. */
enum class Squares {
    closed, /**< interior and borders: a polygon that ends on a border touches both sides */
    open,   /**< only the interior */
};

/** The pixels of a feature: those whose sample is inside by a rule, or all pixels whose square it
 *  touches (touched.hpp, with its limits of offsets). */
using Selection = std::variant<Rule, Squares>;

/** The image that is written. */
struct Output {
    bool out_is_zero = false; /**< `out` contains only zeros: all-zero runs are not written, and a
                                   mask is not accessed above and below bounding_box(), nor beside
                                   it if it is at most half as wide as the mask */
    std::int64_t row_stride = 0; /**< from row to row of `out`, in elements (in bytes for a packed
                                      mask), for rows of a larger array, between which nothing is
                                      written. 0: no gaps between rows */
    /** If set: a box outside of which `out` contains only zeros, before the call and after it. The
     *  call zeroes what the box contains, draws the polygon, and stores bounding_box() here, for
     * the next polygon in the same memory. Nothing else is accessed, as with out_is_zero, which
     * must not be set: an empty box says the same. If the call fails, the box contains what it may
     * have written, too. For one polygon; images of labels refuse it. */
    Box *dirty = nullptr;
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

/** Starts a task, which is safe to copy, in a thread of the caller's choice, such as one of TBB or
 *  of a host's pool:
 *
 *      tbb::task_arena arena;
 *      Work work = {.executor = [&](std::function<void()> task) { arena.enqueue(task); }};
 *
 *  A call starts one task for each thread but the calling one, which takes part itself. The
 * executor may run a task at once, or later, even after the call, or never: the call never waits
 * for a task that has not begun. Tasks do not throw. If the executor throws std::system_error or
 *  std::bad_alloc, the call continues with fewer threads; any other exception stops it. */
using Executor = std::function<void(std::function<void()> task)>;

/** How the work is done. No result depends on it. */
struct Work {
    int threads = 0; /**< their maximum, see most_threads(); 0: one below half a million pixels and
                          for work of up to 40 microseconds, else most_threads() */
    InstructionSet instruction_set = InstructionSet::automatic;
    Stores stores = Stores::automatic; /**< only for masks of one polygon; others refuse a choice */
    Executor executor = {};            /**< if empty, the library's own threads */
};

} // namespace polymask::inline POLYMASK_ABI
