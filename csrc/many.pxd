# Many polygons in one call: the functions for runs and labels that Python calls.
from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp cimport bool
from libcpp.string cimport string
from libcpp.vector cimport vector

from engine cimport Grid, Output, Selection, Work

cdef extern from "polymask/polygons.hpp" namespace "polymask" nogil:
    cdef cppclass Polygons:
        pass

cdef extern from *:
    """
    #include "polymask/crops.hpp"
    #include "polymask/labels.hpp"
    #include "polymask/runs.hpp"
    #include "polymask/statistics.hpp"

    /* Offsets may be null: then each element has one. */
    static inline polymask::Polygons polygons_view(
        const double *vertices, std::ptrdiff_t n, const std::int64_t *rings, std::ptrdiff_t r,
        const std::int64_t *polygons, std::ptrdiff_t p, const std::int64_t *features,
        std::ptrdiff_t f)
    {
        const auto offsets = [](const std::int64_t *first, std::ptrdiff_t count) {
            return std::span<const std::int64_t>(first, static_cast<std::size_t>(count));
        };
        return {{vertices, static_cast<std::size_t>(2 * n)}, offsets(rings, r),
                offsets(polygons, p), offsets(features, f)};
    }

    template <class T>
    std::int64_t write_runs(const polymask::Polygons &polygons, const polymask::Grid &grid,
                            std::int64_t *ends, T *row, T *start, T *stop, std::ptrdiff_t room,
                            const polymask::Selection &selection, const polymask::Work &work)
    {
        const auto size = static_cast<std::size_t>(room);
        const polymask::RunArrays<T> out = {{row, size}, {start, size}, {stop, size}};
        return polymask::label_runs(
            polygons, grid, {ends, static_cast<std::size_t>(polygons.features())}, out, selection,
            work);
    }

    /* Writes the pixels, rows and columns of each feature. */
    static inline void write_sums(const polymask::Polygons &polygons, const polymask::Grid &grid,
                                  std::int64_t *sums, const polymask::Selection &selection,
                                  const polymask::Work &work)
    {
        static_assert(sizeof(polymask::PixelSums) == 3 * sizeof(std::int64_t));
        polymask::pixel_sums(polygons, grid,
                             {reinterpret_cast<polymask::PixelSums *>(sums),
                              static_cast<std::size_t>(polygons.features())},
                             selection, work);
    }

    static_assert(sizeof(polymask::Box) == 4 * sizeof(std::int64_t));

    /* Writes top, bottom, left and right of each feature. */
    static inline void write_boxes(const polymask::MaskCropper &cropper, std::int64_t *boxes,
                                   std::ptrdiff_t count)
    {
        cropper.boxes({reinterpret_cast<polymask::Box *>(boxes), static_cast<std::size_t>(count)});
    }

    static inline void fill_boxes(const polymask::MaskCropper &cropper, std::int64_t first,
                                  const std::int64_t *boxes, std::ptrdiff_t count,
                                  std::uint8_t *out, std::ptrdiff_t size, bool out_is_zero)
    {
        cropper.fill(first,
                     {reinterpret_cast<const polymask::Box *>(boxes),
                      static_cast<std::size_t>(count)},
                     {out, static_cast<std::size_t>(size)}, out_is_zero);
    }

    static inline void write_counts(const polymask::Polygons &polygons, const polymask::Grid &grid,
                                    std::int64_t *counts, const polymask::Selection &selection,
                                    const polymask::Work &work)
    {
        polymask::pixel_counts(polygons, grid,
                               {counts, static_cast<std::size_t>(polygons.features())},
                               selection, work);
    }

    /* Paints the labels of all features; `out` has `size` pixels. */
    template <class T>
    void paint_labels(const polymask::LabelPainter &painter, const T *labels, std::ptrdiff_t count,
                      T *out, std::ptrdiff_t size, bool keeps_background, bool adds,
                      std::int64_t first, std::int64_t end)
    {
        painter.paint<T>({{labels, static_cast<std::size_t>(count)}, 0, keeps_background, adds},
                         {out, static_cast<std::size_t>(size)}, first, end);
    }

    /* `missing` and `nodata` may be null; `out` is an array of Statistics<T>. */
    template <class T>
    void write_statistics(const polymask::Polygons &polygons, const polymask::Grid &grid,
                          const T *pixels, const std::uint8_t *missing, const T *nodata, void *out,
                          const polymask::Selection &selection, const polymask::Work &work)
    {
        const auto size = static_cast<std::size_t>(grid.shape.rows * grid.shape.cols);
        polymask::Values<T> values = {{pixels, size}};
        if (missing)
            values.missing = {missing, size};
        if (nodata)
            values.nodata = *nodata;
        polymask::statistics<T>(polygons, grid, values,
                                {static_cast<polymask::Statistics<T> *>(out),
                                 static_cast<std::size_t>(polygons.features())},
                                selection, work);
    }
    """
    Polygons polygons_view(const double *vertices, ptrdiff_t n, const int64_t *rings, ptrdiff_t r,
                           const int64_t *polygons, ptrdiff_t p, const int64_t *features,
                           ptrdiff_t f) noexcept nogil
    int64_t write_runs[T](const Polygons &polygons, const Grid &grid, int64_t *ends, T *row,
                          T *start, T *stop, ptrdiff_t room, const Selection &selection, const Work &work) except + nogil
    void write_sums(const Polygons &polygons, const Grid &grid, int64_t *sums,
                    const Selection &selection, const Work &work) except + nogil
    void write_counts(const Polygons &polygons, const Grid &grid, int64_t *counts,
                      const Selection &selection, const Work &work) except + nogil
    void write_statistics[T](const Polygons &polygons, const Grid &grid, const T *pixels,
                             const uint8_t *missing, const T *nodata, void *out,
                             const Selection &selection, const Work &work) except + nogil

cdef extern from "polymask/runs.hpp" namespace "polymask" nogil:
    int64_t most_runs(const Polygons &polygons, const Grid &grid,
                      const Selection &selection, const Work &work) except +

cdef extern from "polymask/coco.hpp" namespace "polymask" nogil:
    cdef cppclass ColumnCounts:
        vector[int64_t] counts
        vector[int64_t] ends

    cdef cppclass CocoText:
        string text
        vector[int64_t] ends

    ColumnCounts column_counts(const Polygons &polygons, const Grid &grid,
                               const Selection &selection, const Work &work) except +
    CocoText coco_text(const Polygons &polygons, const Grid &grid,
                       const Selection &selection, const Work &work) except +

cdef extern from "polymask/crops.hpp" namespace "polymask" nogil:
    cdef cppclass MaskCropper:
        MaskCropper(const Polygons &polygons, const Grid &grid,
                    const Selection &selection, const Work &work) except +

cdef extern from *:
    void write_boxes(const MaskCropper &cropper, int64_t *boxes, ptrdiff_t count) except + nogil
    void fill_boxes(const MaskCropper &cropper, int64_t first, const int64_t *boxes,
                    ptrdiff_t count, uint8_t *out, ptrdiff_t size,
                    bool out_is_zero) except + nogil

cdef extern from "polymask/labels.hpp" namespace "polymask" nogil:
    enum class OnTop:
        last
        first
        smallest

    cdef cppclass LabelPainter:
        LabelPainter(const Polygons &polygons, const Grid &grid, OnTop on_top,
                     const Selection &selection, const Output &output, const Work &work) except +
        int64_t tiles() noexcept

cdef extern from *:
    void paint_labels[T](const LabelPainter &painter, const T *labels, ptrdiff_t count, T *out,
                         ptrdiff_t size, bool keeps_background, bool adds, int64_t first,
                         int64_t end) except + nogil
