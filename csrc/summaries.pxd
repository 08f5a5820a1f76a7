# Summaries of any type of pixels: the templates of the engine, chosen by a NumPy dtype.
from libc.stdint cimport int64_t, uint8_t
from libcpp cimport bool
from libcpp.memory cimport unique_ptr
from libcpp.vector cimport vector

from engine cimport Selection, Work
from many cimport Polygons

cdef extern from *:
    """
    #include "polymask/summaries.hpp"

    #include <algorithm>
    #include <cstring>
    #include <stdexcept>

    /* `missing` and `nodata` may be null; pixels and nodata are of the type of the image. */
    struct PixelWindow {
        const void *pixels = nullptr;
        const std::uint8_t *missing = nullptr;
        const void *nodata = nullptr;
        std::int64_t rows = 0, cols = 0, row_offset = 0, column_offset = 0;
    };

    struct AnySummaries {
        virtual ~AnySummaries() = default;
        virtual void add(const PixelWindow &window, const std::int64_t *features,
                         const std::uint8_t *is_last, std::ptrdiff_t count) = 0;
        /* `out` is an array of Summary<T>. */
        virtual void write_all(void *out, std::ptrdiff_t bytes) const = 0;
        virtual void write_quantiles(double *out) const = 0;
        /* Writes the number of shares of the features so far, for each. */
        virtual void write_ends(std::int64_t *ends, std::ptrdiff_t features) const = 0;
        virtual void write_shares(void *values, double *weights, std::ptrdiff_t features) const = 0;
    };

    template <class T> class SummariesOf final : public AnySummaries
    {
      public:
        SummariesOf(const polymask::Polygons &polygons, const polymask::SummaryParts &parts,
                    bool center, const polymask::Selection &selection, const polymask::Work &work)
            : summaries_(polygons, parts, selection, work), center_(center)
        {
        }
        void add(const PixelWindow &window, const std::int64_t *features,
                 const std::uint8_t *is_last, std::ptrdiff_t count) override
        {
            const auto size = static_cast<std::size_t>(window.rows * window.cols);
            polymask::Values<T> values = {{static_cast<const T *>(window.pixels), size}};
            if (window.missing)
                values.missing = {window.missing, size};
            if (window.nodata)
                values.nodata = *static_cast<const T *>(window.nodata);
            const auto length = static_cast<std::size_t>(count);
            const polymask::Grid grid = {{window.rows, window.cols},
                                         center_,
                                         window.row_offset,
                                         window.column_offset};
            summaries_.add(grid, values, {features, length}, {is_last, length});
        }
        void write_all(void *out, std::ptrdiff_t bytes) const override
        {
            const auto all = summaries_.all();
            if (all.size_bytes() != static_cast<std::size_t>(bytes))
                throw std::invalid_argument("out: a wrong size");
            std::copy(all.begin(), all.end(), static_cast<polymask::Summary<T> *>(out));
        }
        void write_quantiles(double *out) const override
        {
            const auto all = summaries_.quantiles();
            std::copy(all.begin(), all.end(), out);
        }
        void write_ends(std::int64_t *ends, std::ptrdiff_t features) const override
        {
            std::int64_t end = 0;
            for (std::ptrdiff_t feature = 0; feature < features; ++feature)
                ends[feature] = end += static_cast<std::int64_t>(summaries_.shares(feature).size());
        }
        void write_shares(void *values, double *weights, std::ptrdiff_t features) const override
        {
            T *value = static_cast<T *>(values);
            for (std::ptrdiff_t feature = 0; feature < features; ++feature)
                for (const auto &share : summaries_.shares(feature)) {
                    *value++ = share.value;
                    *weights++ = share.weight;
                }
        }

      private:
        polymask::Summaries<T> summaries_;
        bool center_;
    };

    /* `kind` is that of a NumPy dtype: u, i or f. */
    static inline AnySummaries *make_summaries(char kind, int bytes,
                                               const polymask::Polygons &polygons,
                                               const polymask::SummaryParts &parts, bool center,
                                               const polymask::Selection &selection,
                                               const polymask::Work &work)
    {
        const auto make = [&]<class T>(T) -> AnySummaries * {
            return new SummariesOf<T>(polygons, parts, center, selection, work);
        };
        if (kind == 'f')
            return bytes == 4 ? make(float()) : make(double());
        if (kind == 'i')
            return bytes == 1   ? make(std::int8_t())
                   : bytes == 2 ? make(std::int16_t())
                   : bytes == 4 ? make(std::int32_t())
                                : make(std::int64_t());
        return bytes == 1   ? make(std::uint8_t())
               : bytes == 2 ? make(std::uint16_t())
               : bytes == 4 ? make(std::uint32_t())
                            : make(std::uint64_t());
    }
    """
    cdef cppclass SummaryParts "polymask::SummaryParts":
        vector[double] quantiles
        bool median
        bool variance
        bool classes
        bool shares
        bool weighted

    cdef cppclass PixelWindow:
        const void *pixels
        const uint8_t *missing
        const void *nodata
        int64_t rows
        int64_t cols
        int64_t row_offset
        int64_t column_offset

    cdef cppclass AnySummaries:
        void add(const PixelWindow &window, const int64_t *features, const uint8_t *is_last,
                 ptrdiff_t count) except + nogil
        void write_all(void *out, ptrdiff_t bytes) except +
        void write_quantiles(double *out)
        void write_ends(int64_t *ends, ptrdiff_t features)
        void write_shares(void *values, double *weights, ptrdiff_t features)

    AnySummaries *make_summaries(char kind, int bytes, const Polygons &polygons,
                                 const SummaryParts &parts, bool center,
                                 const Selection &selection, const Work &work) except + nogil
