# cython: boundscheck=False, wraparound=False
"""The C++ engine for `polymask.api`: arguments come checked, and cross the border here.

Only what compiled code must do stands here; the GIL is released for all work on pixels and points.
"""

from libc.math cimport isfinite
from libc.stdint cimport int64_t, uint8_t

from engine cimport (
    Options,
    Polygon,
    available_instruction_sets,
    choose,
    contains_unchecked,
    describe,
    fill_mask,
    fill_packed,
    name,
    polygon_view,
)


cdef inline Polygon view(const double[:, ::1] vertices, const int64_t[::1] starts) noexcept:
    if starts is None:
        return polygon_view(&vertices[0, 0], vertices.shape[0], NULL, 0)
    return polygon_view(&vertices[0, 0], vertices.shape[0], &starts[0], starts.shape[0])


def all_finite(const double[:, ::1] vertices not None):
    """Whether no coordinate is NaN or infinite."""
    cdef Py_ssize_t i
    cdef bint finite = True
    for i in range(vertices.shape[0]):
        finite &= isfinite(vertices[i, 0]) and isfinite(vertices[i, 1])
    return finite


def fill(const double[:, ::1] vertices not None, const int64_t[::1] starts,
         uint8_t[:, ::1] out not None, Py_ssize_t cols, bint packed, bint border_value,
         bint center, int64_t row_offset, int64_t column_offset, bint out_is_zero, int threads):
    """Fill the mask of a polygon, bytes or packed bits, into `out`, which is not empty."""
    cdef Polygon polygon = view(vertices, starts)
    cdef Options options
    options.border_value = border_value
    options.center = center
    options.row_offset = row_offset
    options.column_offset = column_offset
    options.out_is_zero = out_is_zero
    options.threads = threads
    with nogil:
        if packed:
            fill_packed(polygon, out.shape[0], cols, &out[0, 0], options)
        else:
            fill_mask(polygon, out.shape[0], cols, &out[0, 0], options)


def contains(const double[:, ::1] vertices not None, const int64_t[::1] starts,
             const double[:, ::1] points not None, uint8_t[::1] out not None, bint border_value,
             int threads):
    """Test points, at least one, by the same rule."""
    cdef Polygon polygon = view(vertices, starts)
    with nogil:
        contains_unchecked(polygon, &points[0, 0], points.shape[0], &out[0], border_value, threads)


def instruction_sets():
    """Names of the instruction sets that this processor can run, widest first."""
    return [name(found).decode() for found in available_instruction_sets()]


def choice(const double[:, ::1] vertices not None, Py_ssize_t rows, Py_ssize_t cols):
    """What the engine chooses for the mask of a polygon, in a line."""
    cdef const int64_t[::1] one_ring = None
    cdef Polygon polygon = view(vertices, one_ring)
    cdef Options options
    return describe(choose(polygon, rows, cols, options)).decode()
