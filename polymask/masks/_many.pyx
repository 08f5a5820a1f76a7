# cython: boundscheck=False, wraparound=False
"""Runs and labels of many polygons by the C++ engine, called with checked arguments.

This module contains only what must be compiled; the GIL is released during work on polygons.
"""

from cpython.exc cimport PyErr_CheckSignals
from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.stdint cimport (
    int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t,
)
from libc.string cimport memset
from libcpp.memory cimport unique_ptr

from engine cimport Options
from interruption cimport Signals
from many cimport (
    CocoText, ColumnCounts, LabelPainter, MaskCropper, OnTop, Polygons, coco_text, column_counts,
    fill_boxes, most_runs, paint_labels, polygons_view, write_boxes, write_counts, write_runs,
    write_statistics, write_sums,
)
from sampling cimport check_environment, set_sampling

cdef dict ON_TOP = {"last": OnTop.last, "first": OnTop.first, "smallest": OnTop.smallest}

cdef enum:
    CHECK_INTERVAL = 65536  # counts put into lists between two checks for Ctrl-C and other threads

ctypedef fused Index:
    int32_t
    int64_t

ctypedef fused Label:
    uint8_t
    uint16_t
    uint32_t
    uint64_t
    float
    double

ctypedef fused Value:
    uint8_t
    int8_t
    uint16_t
    int16_t
    uint32_t
    int32_t
    uint64_t
    int64_t
    float
    double


cdef inline const int64_t *first_of(const int64_t[::1] offsets) noexcept:
    if offsets is None:
        return NULL
    return &offsets[0]


cdef class Many:
    """Ragged arrays, which it keeps alive, and their sampling options."""

    cdef const double[:, ::1] vertices
    cdef const int64_t[::1] rings, polygons, features
    cdef int64_t rows, cols
    cdef Polygons view
    cdef Options options
    cdef readonly object sampling

    def __init__(self, ragged, shape, sampling):
        check_environment()
        self.sampling = sampling
        self.vertices, self.rings, self.polygons, self.features = ragged
        self.rows, self.cols = shape
        self.view = polygons_view(
            &self.vertices[0, 0], self.vertices.shape[0],
            first_of(self.rings), self.rings.shape[0],
            first_of(self.polygons), 0 if self.polygons is None else self.polygons.shape[0],
            first_of(self.features), 0 if self.features is None else self.features.shape[0])
        set_sampling(self.options, sampling)

    def most_runs(self):
        """Return an upper bound of the number of all features' runs."""
        cdef int64_t most
        cdef Signals signals
        signals.heed()
        with nogil:
            most = most_runs(self.view, self.rows, self.cols, self.options)
        return most

    def runs(self, int64_t[::1] ends not None, Index[::1] row not None,
             Index[::1] start not None, Index[::1] stop not None):
        """Write all runs, and where those of each feature end; return the number of runs."""
        cdef int64_t count
        cdef Signals signals
        signals.heed()
        with nogil:
            count = write_runs(self.view, self.rows, self.cols, &ends[0], &row[0], &start[0],
                               &stop[0], row.shape[0], self.options)
        return count

    def sums(self, int64_t[:, ::1] out not None):
        """Write each feature's number of pixels, and the sums of their rows and columns."""
        cdef Signals signals
        signals.heed()
        with nogil:
            write_sums(self.view, self.rows, self.cols, &out[0, 0], self.options)

    def counts(self, int64_t[::1] out not None):
        """Write each feature's number of pixels."""
        cdef Signals signals
        signals.heed()
        with nogil:
            write_counts(self.view, self.rows, self.cols, &out[0], self.options)

    def statistics(self, const Value[:, ::1] values not None, const uint8_t[:, ::1] missing,
                   nodata, uint8_t[::1] out not None):
        """Write the bytes of a C++ `Statistics` of the image for each feature."""
        cdef Value number
        cdef const Value *no_value = NULL
        cdef const uint8_t *absent = NULL
        if nodata is not None:
            number = nodata
            no_value = &number
        if missing is not None:
            absent = &missing[0, 0]
        cdef Signals signals
        signals.heed()
        with nogil:
            write_statistics(self.view, self.rows, self.cols, &values[0, 0], absent, no_value,
                             &out[0], self.options)


    def column_counts(self):
        """Return each feature's run lengths down the columns, as a list of lists."""
        cdef ColumnCounts result
        cdef Signals signals
        signals.heed()
        with nogil:
            result = column_counts(self.view, self.rows, self.cols, self.options)
        cdef size_t feature, place = 0
        cdef list all_counts = [], counts
        for feature in range(result.ends.size()):
            counts = []
            while place < <size_t> result.ends[feature]:
                counts.append(result.counts[place])
                place += 1
                if place % CHECK_INTERVAL == 0:
                    with nogil:
                        pass  # let other threads run
                    PyErr_CheckSignals()
            all_counts.append(counts)
        return all_counts

    def coco_texts(self):
        """Return COCO's text of each feature's run lengths, as a list."""
        cdef CocoText result
        cdef Signals signals
        signals.heed()
        with nogil:
            result = coco_text(self.view, self.rows, self.cols, self.options)
        cdef size_t feature
        cdef int64_t start = 0
        cdef list texts = []
        for feature in range(result.ends.size()):
            texts.append(PyUnicode_DecodeASCII(result.text.data() + start,
                                               result.ends[feature] - start, NULL))
            start = result.ends[feature]
        return texts


cdef class Cropper:
    """Masks of features, each in a box: top, bottom, left, right."""

    cdef Many many
    cdef unique_ptr[MaskCropper] cropper

    def __init__(self, Many many not None, bint out_is_zero):
        self.many = many
        many.options.out_is_zero = out_is_zero
        cdef Signals signals
        signals.heed()
        with nogil:
            self.cropper.reset(new MaskCropper(many.view, many.rows, many.cols, many.options))

    def boxes(self, int64_t[:, ::1] out not None):
        """Write the smallest box that contains all pixels, for each feature."""
        cdef Signals signals
        signals.heed()
        with nogil:
            write_boxes(self.cropper.get()[0], &out[0, 0], out.shape[0])

    def fill(self, int64_t first, const int64_t[:, ::1] boxes not None,
             uint8_t[::1] out not None):
        """Write the masks of as many features as there are boxes, end to end."""
        cdef Signals signals
        signals.heed()
        with nogil:
            fill_boxes(self.cropper.get()[0], first, &boxes[0, 0], boxes.shape[0], &out[0],
                       out.shape[0])


cdef class Painter:
    """A label image that is painted tile by tile."""

    cdef Many many
    cdef unique_ptr[LabelPainter] painter

    def __init__(self, Many many not None, on_top, bint out_is_zero, int64_t row_stride):
        cdef OnTop order = ON_TOP[on_top]
        self.many = many
        many.options.out_is_zero = out_is_zero
        cdef Signals signals
        signals.heed()
        many.options.row_stride = row_stride
        with nogil:
            self.painter.reset(
                new LabelPainter(many.view, many.rows, many.cols, order, many.options))

    def tiles(self):
        """Return the number of tiles."""
        return self.painter.get().tiles()

    def paint(self, const Label[::1] labels not None, Label[:, :] out not None,
              bint keeps_background, bint adds, int64_t first, int64_t end):
        """Paint tiles `first` to `end - 1`; integers are unsigned ones with the same bits."""
        cdef Signals signals
        signals.heed()
        cdef Py_ssize_t row_stride = out.strides[0] // <Py_ssize_t> sizeof(Label)
        cdef Py_ssize_t size = (out.shape[0] - 1) * row_stride + out.shape[1]
        with nogil:
            paint_labels(self.painter.get()[0], &labels[0], labels.shape[0], &out[0, 0], size,
                         keeps_background, adds, first, end)


def paint(const int64_t[::1] row not None, const int64_t[::1] start not None,
          const int64_t[::1] stop not None, uint8_t[:, :] out not None):
    """Write ones along runs within `out`, in which each row is contiguous."""
    cdef int64_t piece = 1 << 26  # bytes between two checks for Ctrl-C: some 10 milliseconds
    cdef int64_t written = 0, begin, end
    cdef Py_ssize_t i
    with nogil:
        for i in range(row.shape[0]):
            begin = start[i]
            while begin < stop[i]:
                end = min(stop[i], begin + piece)
                memset(&out[row[i], begin], 1, end - begin)
                written += end - begin + 64  # the time of a short run is that of 64 bytes
                begin = end
                if written > piece:
                    written = 0
                    with gil:
                        PyErr_CheckSignals()
