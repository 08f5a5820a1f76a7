# The functions of the scanline engine, csrc/engine, that Python calls.
from libc.stdint cimport int64_t, uint8_t
from libcpp cimport bool
from libcpp.string cimport string
from libcpp.vector cimport vector

from interruption cimport Signals

cdef extern from "polymask/polymask.hpp" namespace "polymask" nogil:
    enum class InstructionSet:
        automatic
        plain
        avx2
        avx512
        neon

    enum class Border:
        inside
        outside
        half_open

    enum class Status:
        ok
        out_of_memory
        unavailable
        interrupted

    cdef cppclass Polygon:
        pass

    cdef cppclass Box:
        int64_t top, bottom, left, right
        int64_t rows() noexcept
        int64_t cols() noexcept

    cdef cppclass Options:
        Border border
        bool center
        bool watertight
        int64_t row_offset
        int64_t column_offset
        int64_t row_stride
        bool out_is_zero
        int threads

    cdef cppclass Choice:
        pass

    Status fill_mask_unchecked(const Polygon &polygon, int64_t rows, int64_t cols, uint8_t *out,
                               const Options &options) noexcept
    Box bounding_box_unchecked(const Polygon &polygon, int64_t rows, int64_t cols,
                               const Options &options) noexcept
    Status contains_unchecked(const Polygon &polygon, const double *points, int64_t count,
                              uint8_t *out, const Options &options) noexcept
    void read_environment() noexcept  # needs the GIL, as Python code that sets a variable holds it
    vector[InstructionSet] available_instruction_sets() except +
    int most_threads(int requested) noexcept
    const char *name(InstructionSet instruction_set) noexcept
    Choice choose(const Polygon &polygon, int64_t rows, int64_t cols,
                  const Options &options) except +
    string describe(const Choice &choice) except +

cdef extern from "support/cgroup.hpp" namespace "polymask::detail" nogil:
    double cpu_quota(const char *root) noexcept
    int64_t memory_limit(const char *root) noexcept

cdef extern from *:
    """
    #include "mask/fill.hpp"
    #include "support/processor.hpp"

    /* Returns a view of n vertices, x0, y0, x1, y1, ..., in rings; starts may be null for one. */
    static inline polymask::Polygon polygon_view(const double *vertices, std::ptrdiff_t n,
                                                 const std::int64_t *starts, std::ptrdiff_t rings)
    {
        const auto numbers = static_cast<std::size_t>(2 * n);
        return {{vertices, numbers}, {starts, static_cast<std::size_t>(rings)}};
    }

    using polymask::detail::Extent;

    /* Sets the extent of the vertices, and returns whether all coordinates are within +-farthest. */
    static inline bool are_within(const polymask::Polygon &polygon, double farthest,
                                  Extent &extent) noexcept
    {
        const polymask::detail::ScopedRounding rounding;
        const double sum = extent.set_and_add(polygon.vertices);
        return sum - sum == 0 && extent.left >= -farthest && extent.top >= -farthest &&
               extent.right <= farthest && extent.bottom <= farthest;
    }

    /* fill_mask or fill_packed, and bounding_box, without reading the vertices for their extent. */
    static inline polymask::Status fill_within(const polymask::Polygon &polygon,
                                               const Extent &extent, std::int64_t rows,
                                               std::int64_t cols, std::uint8_t *out, bool packed,
                                               const polymask::Options &options) noexcept
    {
        const polymask::detail::ScopedRounding rounding;
        return polymask::detail::plan_and_fill(
            {polygon, extent, rows, cols, out, packed, options});
    }

    static inline polymask::Box box_within(const polymask::Polygon &polygon, const Extent &extent,
                                           std::int64_t rows, std::int64_t cols,
                                           const polymask::Options &options) noexcept
    {
        const polymask::detail::ScopedRounding rounding;
        return polymask::detail::bounding_box(
            {polygon, extent, rows, cols, nullptr, false, options});
    }
    """
    cdef cppclass Extent:
        pass

    Polygon polygon_view(const double *vertices, ptrdiff_t n, const int64_t *starts,
                         ptrdiff_t rings) noexcept nogil
    bint are_within(const Polygon &polygon, double farthest, Extent &extent) noexcept nogil
    Status fill_within(const Polygon &polygon, const Extent &extent, int64_t rows, int64_t cols,
                       uint8_t *out, bint packed, const Options &options) noexcept nogil
    Box box_within(const Polygon &polygon, const Extent &extent, int64_t rows, int64_t cols,
                   const Options &options) noexcept nogil

# Returns a view of the contents of geometry.Rings: at least one vertex, and ring starts or None.
cdef inline Polygon view(const double[:, ::1] vertices, const int64_t[::1] starts) noexcept:
    if starts is None:
        return polygon_view(&vertices[0, 0], vertices.shape[0], NULL, 0)
    return polygon_view(&vertices[0, 0], vertices.shape[0], &starts[0], starts.shape[0])

# Converts Python's `border_value`: true, false, or None for the half-open rule.
cdef inline Border border_of(border_value):
    if border_value is None:
        return Border.half_open
    return Border.inside if border_value else Border.outside

# Wrappers of functions that return a status: they raise Python exceptions and handle Ctrl-C.
cdef inline int fill_mask(const Polygon &polygon, int64_t rows, int64_t cols, uint8_t *out,
                          const Options &options) except -1 nogil:
    cdef Signals signals
    signals.heed()
    cdef Status status = fill_mask_unchecked(polygon, rows, cols, out, options)
    return 0 if status == Status.ok else refuse(status, polygon, rows, cols, options)


cdef inline int fill_read(const Polygon &polygon, const Extent &extent, int64_t rows,
                          int64_t cols, uint8_t *out, bint packed,
                          const Options &options) except -1 nogil:
    cdef Signals signals
    signals.heed()
    cdef Status status = fill_within(polygon, extent, rows, cols, out, packed, options)
    return 0 if status == Status.ok else refuse(status, polygon, rows, cols, options)


cdef inline int test_points(const Polygon &polygon, const double *points, int64_t count,
                            uint8_t *out, const Options &options) except -1 nogil:
    cdef Signals signals
    signals.heed()
    cdef Status status = contains_unchecked(polygon, points, count, out, options)
    return 0 if status == Status.ok else -1  # the signal handler has set the exception


cdef inline int refuse(Status status, const Polygon &polygon, int64_t rows, int64_t cols,
                       const Options &options) except -1 with gil:
    if status == Status.interrupted:
        return -1  # the signal handler has set the exception: call nothing before this
    from polymask.contract import BadSetting

    if status == Status.out_of_memory:
        raise MemoryError("no memory for the engine's bit buffers and edges")
    try:
        choice = describe(choose(polygon, rows, cols, options)).decode()  # raises RuntimeError
    except RuntimeError as error:
        raise BadSetting(str(error)) from None
    raise RuntimeError(f"the engine could not fill the mask with {choice}")
