"""Runs instead of masks: the starts and stops of the polygons' pixels in each row.

No mask is computed, so the cost depends on the crossings of edges with rows, not on the pixels.
"""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from polymask import contract
from polymask.forms import feature_values
from polymask.maps.georeference import AS_IT_IS
from polymask.masks import _many
from polymask.masks.output import check_dtype, check_out
from polymask.masks.view import view_of, with_options

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import SupportsIndex

    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from polymask.hints import (
        Bool,
        DType,
        OnInvalid,
        Options,
        Out,
        Pair,
        Polygon,
        Polygons,
        UInt8,
    )


class Runs(NamedTuple):
    """Runs of one polygon, sorted by row and start; runs in a row do not touch each other.

    Attributes
    ----------
    row, start, stop : ndarray, shape (M,), int32 or int64
        Run i covers the pixels ``mask[row[i], start[i] : stop[i]]``. The dtype is int64 only if the
        image has 2**31 or more rows or columns.
    """

    row: NDArray[np.integer[Any]]
    start: NDArray[np.integer[Any]]
    stop: NDArray[np.integer[Any]]


class LabelRuns(NamedTuple):
    """Runs of many polygons, one polygon after another, each sorted as in `Runs`.

    Attributes
    ----------
    row, start, stop : ndarray, shape (M,), int32 or int64
        As in `Runs`.
    label : ndarray, shape (M,), integer
        The label of the run's polygon.
    offsets : ndarray, shape (N + 1,), int64
        Polygon n has the runs ``offsets[n] : offsets[n + 1]``.
    """

    row: NDArray[np.integer[Any]]
    start: NDArray[np.integer[Any]]
    stop: NDArray[np.integer[Any]]
    label: NDArray[np.integer[Any]]
    offsets: NDArray[np.int64]


@with_options()
def polygon_runs(polygon: Polygon, shape: Pair | None = None, **options: Unpack[Options]) -> Runs:
    """Return the runs of a polygon's pixels, without computing a mask.

    Parameters
    ----------
    polygon, shape, order, border_value, center, offset, watertight, all_touched, threads, transform
        As for `polygon_mask`. A single polygon uses one thread.

    Returns
    -------
    Runs
        A named tuple of the arrays row, start and stop. Rows and columns are relative to the
        window.

    Raises
    ------
    TypeError, ValueError
        If the polygon, the shape or an option is invalid.

    Examples
    --------
    >>> import polymask
    >>> row, start, stop = polymask.polygon_runs([(1, 1), (6, 1), (3, 4)], (5, 8))
    >>> row.tolist(), start.tolist(), stop.tolist()
    ([1, 1, 2, 3, 4], [1, 6, 2, 3, 3], [2, 7, 6, 5, 4])
    """
    view = view_of(polygon, shape, **options)
    arrays = view.single(polygon)
    return Runs(*_compute_runs(view, arrays)[0])


@with_options()
def label_runs(
    polygons: Polygons,
    shape: Pair | None = None,
    *,
    labels: Iterable[SupportsIndex] | None = None,
    on_invalid: OnInvalid = "raise",
    **options: Unpack[Options],
) -> LabelRuns:
    """Return the runs of many polygons, each with the label of its polygon.

    Polygons do not hide each other: each has all of its runs, even where others overlap it.

    Parameters
    ----------
    polygons, shape, on_invalid
        As for `polygon_masks`.
    labels : sequence of int, optional
        One label per polygon; if None, 1, 2, 3, ...
    order, border_value, center, offset, watertight, all_touched, threads, transform
        As for `polygon_mask`; the polygons are divided among the threads.

    Returns
    -------
    LabelRuns
        A named tuple of the arrays row, start, stop and label, and the offsets of each polygon's
        runs.

    Raises
    ------
    TypeError, ValueError
        If a polygon (the message names it), a label, the shape or an option is invalid.

    Examples
    --------
    >>> import polymask
    >>> square = [(1.5, -0.5), (3.5, -0.5), (3.5, 1.5), (1.5, 1.5)]
    >>> triangle = [(-0.5, -0.5), (2.6, -0.5), (-0.5, 2.6)]
    >>> runs = polymask.label_runs([square, triangle], (3, 4), labels=[5, 7])
    >>> list(zip(*(array.tolist() for array in runs[:4])))
    [(0, 2, 4, 5), (1, 2, 4, 5), (0, 0, 3, 7), (1, 0, 2, 7), (2, 0, 1, 7)]
    >>> runs.offsets
    array([0, 2, 5])
    """
    view = view_of(polygons, shape, **options)
    arrays = view.ragged(polygons, on_invalid).copy()  # read twice: to count and to fill
    labels = feature_values.check_labels(labels, polygons, arrays.features)
    columns, offsets = _compute_runs(view, arrays)
    return LabelRuns(*columns, np.repeat(labels, np.diff(offsets)), offsets)


@overload
def runs_to_mask(
    runs: Iterable[ArrayLike], shape: Pair, *, out: Out, dtype: DType = None
) -> Out: ...
@overload
def runs_to_mask(
    runs: Iterable[ArrayLike], shape: Pair, *, out: None = None, dtype: UInt8
) -> NDArray[np.uint8]: ...
@overload
def runs_to_mask(
    runs: Iterable[ArrayLike], shape: Pair, *, out: None = None, dtype: Bool = None
) -> NDArray[np.bool_]: ...
@overload
def runs_to_mask(
    runs: Iterable[ArrayLike], shape: Pair, *, out: None = None, dtype: DType = None
) -> NDArray[Any]: ...
def runs_to_mask(runs, shape, *, out=None, dtype=None):
    """Return the mask that has ones along the given runs.

    Parameters
    ----------
    runs : Runs, LabelRuns, or tuple of array_like
        Rows, starts and stops. Runs may overlap and come in any order. Further arrays are ignored.
    shape : tuple of int
        (rows, cols).
    out, dtype
        As for `polygon_mask`.

    Returns
    -------
    ndarray, shape (rows, cols), bool or uint8
        The array `out`, if given.

    Raises
    ------
    TypeError, ValueError
        If a run is invalid or outside the image (the message names it), or if the shape, `out` or
        `dtype` is invalid. Nothing is written then.

    Examples
    --------
    >>> import polymask
    >>> polymask.runs_to_mask(([0, 1], [1, 0], [3, 2]), (2, 4), dtype="uint8")
    array([[0, 1, 1, 0],
           [1, 1, 0, 0]], dtype=uint8)
    """
    rows, cols = shape = contract.check_shape(shape)
    dtype = check_dtype(dtype, out)
    if out is not None:
        check_out(out, shape, dtype)
    row, start, stop = map(np.array, _check_runs(runs))  # copies that no other thread writes to
    is_outside = (row < 0) | (row >= rows) | (start < 0) | (stop < start) | (stop > cols)
    if is_outside.any():
        first = int(is_outside.argmax())
        raise ValueError(
            f"run {first}, row {row[first]} from {start[first]} to {stop[first]}, "
            f"lies outside the image of shape {shape}"
        )
    if out is None:
        out = np.zeros(shape, dtype)
    else:
        out[...] = 0
    if row.size and out.size:
        _many.paint(row, start, stop, out.view(np.uint8))
    return out


def _check_runs(runs):
    """Convert runs to three int64 arrays of equal length: row, start and stop."""
    try:
        sequences = list(islice(runs, 3))
        columns = [np.asarray(column) for column in sequences]
    except (NotImplementedError, TypeError, ValueError):  # the first from a 2D memoryview
        sequences = columns = []
    contract.refuse_masked(sequences, "runs")
    lengths = {column.shape for column in columns}
    if len(columns) != 3 or len(lengths) != 1 or columns[0].ndim != 1:
        raise ValueError("runs must be three arrays of equal length: rows, starts, stops")
    if any(column.size and column.dtype.kind not in "iu" for column in columns):
        raise TypeError("runs must be integers")
    if any(column.dtype == np.uint64 and (column > sys.maxsize).any() for column in columns):
        raise ValueError("runs contain an integer beyond 63 bits")
    return [contract.as_contiguous(column, np.int64) for column in columns]


def _compute_runs(view, arrays):
    """Return the row, start and stop of all runs, and the features' offsets into them."""
    dtype = np.int32 if max(view.shape) < 2**31 else np.int64
    many = view.many(arrays)
    capacity = many.most_runs()
    columns = [np.empty(capacity, dtype) for _ in range(3)]
    offsets = np.zeros(arrays.features + 1, np.int64)
    count = many.runs(offsets[1:], *columns)
    for column in columns:  # usually without a copy, as the end was never written
        column.resize(count, refcheck=False)
    if view.turn != AS_IT_IS:
        columns = _turned(columns, offsets, view)
    return columns, offsets


def _turned(columns, offsets, view):
    """Return the runs of an image whose rows or columns are reversed, sorted again."""
    (row, start, stop), (rows, cols) = columns, view.shape
    if view.turn[0].step == -1:
        row = rows - 1 - row
    if view.turn[1].step == -1:
        start, stop = cols - stop, cols - start
    feature = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    order = np.lexsort((start, row, feature))
    return [column[order] for column in (row, start, stop)]
