# The scanline engine, csrc/engine, as far as Python calls it.
from libc.stdint cimport int64_t, uint8_t
from libcpp cimport bool
from libcpp.string cimport string
from libcpp.vector cimport vector

cdef extern from "polymask/polymask.hpp" namespace "polymask" nogil:
    enum class InstructionSet:
        automatic
        plain
        avx2
        avx512
        neon

    enum class Status:
        ok
        out_of_memory
        unavailable

    cdef cppclass Polygon:
        pass

    cdef cppclass Options:
        bool border_value
        bool center
        int64_t row_offset
        int64_t column_offset
        bool out_is_zero
        int threads

    cdef cppclass Choice:
        pass

    Status fill_mask_unchecked(const Polygon &polygon, int64_t rows, int64_t cols, uint8_t *out,
                               const Options &options) noexcept
    Status fill_packed_unchecked(const Polygon &polygon, int64_t rows, int64_t cols, uint8_t *out,
                                 const Options &options) noexcept
    void contains_unchecked(const Polygon &polygon, const double *points, int64_t count,
                            uint8_t *out, bool border_value, int threads) noexcept
    vector[InstructionSet] available_instruction_sets() except +
    const char *name(InstructionSet instruction_set) noexcept
    Choice choose(const Polygon &polygon, int64_t rows, int64_t cols,
                  const Options &options) except +
    string describe(const Choice &choice) except +

cdef extern from *:
    """
    #include "polymask/polymask.hpp"

    /* A view of n vertices, x0, y0, x1, y1, ..., in so many rings; starts may be null for one. */
    static inline polymask::Polygon polygon_view(const double *vertices, std::ptrdiff_t n,
                                                 const std::int64_t *starts, std::ptrdiff_t rings)
    {
        const auto numbers = static_cast<std::size_t>(2 * n);
        return {{vertices, numbers}, {starts, static_cast<std::size_t>(rings)}};
    }
    """
    Polygon polygon_view(const double *vertices, ptrdiff_t n, const int64_t *starts,
                         ptrdiff_t rings) noexcept nogil

# The calls that do not throw say whether all went well; these raise Python's errors.
cdef inline int fill_mask(const Polygon &polygon, int64_t rows, int64_t cols, uint8_t *out,
                          const Options &options) except -1 nogil:
    cdef Status status = fill_mask_unchecked(polygon, rows, cols, out, options)
    return 0 if status == Status.ok else refuse(status, polygon, rows, cols, options)


cdef inline int fill_packed(const Polygon &polygon, int64_t rows, int64_t cols, uint8_t *out,
                            const Options &options) except -1 nogil:
    cdef Status status = fill_packed_unchecked(polygon, rows, cols, out, options)
    return 0 if status == Status.ok else refuse(status, polygon, rows, cols, options)


cdef inline int refuse(Status status, const Polygon &polygon, int64_t rows, int64_t cols,
                       const Options &options) except -1 with gil:
    from polymask.contract import Unavailable

    if status == Status.out_of_memory:
        raise MemoryError("no memory for the engine's bit buffers and edges")
    try:
        choice = describe(choose(polygon, rows, cols, options)).decode()  # names what is missing
    except RuntimeError as error:
        raise Unavailable(str(error)) from None
    raise RuntimeError(f"the engine could not fill the mask by {choice}")
