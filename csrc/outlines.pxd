# Outlines of masks and label images: the functions of csrc/engine that Python calls.
from libc.stdint cimport int64_t
from libcpp cimport bool

from engine cimport Shape

cdef extern from "polymask/outlines.hpp" namespace "polymask" nogil:
    enum class Connectivity:
        sides
        corners

    cdef cppclass OutlineOptions:
        Connectivity connectivity
        bool center
        int64_t row_offset
        int64_t column_offset

    cdef cppclass LabelImage:
        LabelImage(const void *elements, size_t count, int bytes_of_each, bool is_signed,
                   Shape shape, int64_t stride)

    cdef cppclass TracedOutlines:
        TracedOutlines()
        int64_t vertices() noexcept
        int64_t rings() noexcept
        int64_t polygons() noexcept

    TracedOutlines trace_mask(const LabelImage &mask, const OutlineOptions &options) except +

cdef extern from *:
    """
    #include "polymask/outlines.hpp"

    static inline polymask::TracedOutlines trace_regions(const polymask::LabelImage &labels,
                                                         bool has_background,
                                                         std::int64_t background,
                                                         const polymask::OutlineOptions &options)
    {
        const auto outside = has_background ? std::optional(background) : std::nullopt;
        return trace_labels(labels, outside, options);
    }

    static inline void write_outlines(const polymask::TracedOutlines &traced, double *vertices,
                                      std::int64_t *ring_offsets, std::int64_t *polygon_offsets,
                                      std::int64_t *labels)
    {
        const auto size = [](std::int64_t count) { return static_cast<std::size_t>(count); };
        traced.write({vertices, size(2 * traced.vertices())},
                     {ring_offsets, size(traced.rings() + 1)},
                     {polygon_offsets, size(traced.polygons() + 1)},
                     {labels, size(traced.polygons())});
    }
    """
    TracedOutlines trace_regions(const LabelImage &labels, bool has_background, int64_t background,
                                 const OutlineOptions &options) except + nogil
    void write_outlines(const TracedOutlines &traced, double *vertices, int64_t *ring_offsets,
                        int64_t *polygon_offsets, int64_t *labels) except + nogil
