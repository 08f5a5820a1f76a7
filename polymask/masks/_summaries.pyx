# cython: boundscheck=False, wraparound=False
"""Summaries of the values in many polygons by the C++ engine, called with checked arguments."""

from libc.stdint cimport int64_t, uint8_t
from libcpp.memory cimport unique_ptr

from engine cimport Selection
from interruption cimport Signals
from many cimport Polygons, polygons_view
from sampling cimport Sampling, check_environment, set_sampling
from summaries cimport AnySummaries, PixelWindow, SummaryParts, make_summaries


cdef inline const int64_t *first_of(const int64_t[::1] offsets) noexcept:
    if offsets is None:
        return NULL
    return &offsets[0]


cdef inline ptrdiff_t length_of(const int64_t[::1] offsets) noexcept:
    return 0 if offsets is None else offsets.shape[0]


cdef class Summaries:
    """The summaries of all features for one image, which may come in several windows."""

    cdef const double[:, ::1] vertices  # kept alive, as the engine has a view
    cdef const int64_t[::1] rings, polygons, features
    cdef unique_ptr[AnySummaries] summaries

    def __init__(self, ragged, dtype, sampling, parts):
        """`parts` has the attributes of the C++ struct SummaryParts."""
        check_environment()
        self.vertices, self.rings, self.polygons, self.features = ragged
        cdef Polygons view = polygons_view(
            &self.vertices[0, 0], self.vertices.shape[0], first_of(self.rings),
            length_of(self.rings), first_of(self.polygons), length_of(self.polygons),
            first_of(self.features), length_of(self.features))
        cdef Sampling of
        set_sampling(of, sampling)
        if parts.weighted:
            of.selection = Selection()
        cdef SummaryParts wanted
        for quantile in parts.quantiles:
            wanted.quantiles.push_back(quantile)
        wanted.median = parts.median
        wanted.variance = parts.variance
        wanted.classes = parts.classes
        wanted.shares = parts.shares
        wanted.weighted = parts.weighted
        cdef char kind = <char> ord(dtype.kind)
        cdef int size = dtype.itemsize
        cdef Signals signals
        signals.heed()
        with nogil:
            self.summaries.reset(make_summaries(kind, size, view, wanted, of.grid.center,
                                                of.selection, of.work))

    def add(self, const uint8_t[::1] pixels not None, const uint8_t[:, ::1] missing,
            const uint8_t[::1] nodata, box, const int64_t[::1] features not None,
            const uint8_t[::1] is_last not None):
        """Add a window to some features; pixels and nodata are bytes of the image's dtype.

        `box` has the number of rows and of columns, and the offsets of the first.
        """
        cdef PixelWindow window
        window.rows, window.cols, window.row_offset, window.column_offset = box
        window.pixels = &pixels[0]
        if missing is not None:
            window.missing = &missing[0, 0]
        if nodata is not None:
            window.nodata = &nodata[0]
        cdef Signals signals
        signals.heed()
        with nogil:
            self.summaries.get().add(window, &features[0], &is_last[0], features.shape[0])

    def write(self, uint8_t[::1] out not None, double[:, ::1] quantiles not None):
        """Write the bytes of a C++ `Summary` for each feature, and its quantiles."""
        self.summaries.get().write_all(&out[0], out.shape[0])
        self.summaries.get().write_quantiles(&quantiles[0, 0])

    def write_ends(self, int64_t[::1] ends not None):
        """Write the number of distinct values of the features so far, for each."""
        self.summaries.get().write_ends(&ends[0], ends.shape[0])

    def write_shares(self, uint8_t[::1] values not None, double[::1] weights not None,
                     ptrdiff_t features):
        """Write the bytes of all distinct values, and their weights."""
        self.summaries.get().write_shares(&values[0], &weights[0], features)
