"""Runs instead of masks: where rows of polygons start and stop, and what pixels add up to.

Their cost follows the crossings of edges and rows, and not the pixels: no mask is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from polymask import contract
from polymask.geodata import feature_values, geometry
from polymask.geodata.ragged import of_parts, ragged
from polymask.masks import _many
from polymask.masks.polygon import check_dtype, check_shape

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import SupportsIndex

    from numpy.typing import ArrayLike, NDArray

    from polymask.hints import (
        Bool,
        DType,
        Flag,
        Order,
        Out,
        Pair,
        Polygon,
        Polygons,
        Touched,
        UInt8,
    )

NO_OFFSET = contract.NO_OFFSET


class Runs(NamedTuple):
    """Runs of one polygon, sorted by row and then start; runs of a row neither meet nor touch.

    Attributes
    ----------
    row, start, stop : ndarray, shape (M,), int32 or int64
        Run i is the pixels ``mask[row[i], start[i] : stop[i]]``. int64 only where an image has
        2**31 rows or columns or more.
    """

    row: NDArray[np.integer[Any]]
    start: NDArray[np.integer[Any]]
    stop: NDArray[np.integer[Any]]


class LabelRuns(NamedTuple):
    """Runs of many polygons, one polygon's after the other's; within one as in `Runs`.

    Attributes
    ----------
    row, start, stop : ndarray, shape (M,), int32 or int64
        As in `Runs`.
    label : ndarray, shape (M,), integer
        Of the polygon that the run belongs to.
    offsets : ndarray, shape (N + 1,), int64
        Polygon n has the runs ``offsets[n] : offsets[n + 1]``.
    """

    row: NDArray[np.integer[Any]]
    start: NDArray[np.integer[Any]]
    stop: NDArray[np.integer[Any]]
    label: NDArray[np.integer[Any]]
    offsets: NDArray[np.int64]


def polygon_runs(
    polygon: Polygon,
    shape: Pair,
    *,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = NO_OFFSET,
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> Runs:
    """Return the runs of a polygon's mask: the same pixels, without the mask.

    Parameters
    ----------
    polygon, shape, order, border_value, center, offset, watertight, all_touched, threads
        As for `polygon_mask`. One polygon is the work of one thread.

    Returns
    -------
    Runs
        A tuple of arrays row, start, stop. Rows and columns count from the window's first.

    Raises
    ------
    TypeError, ValueError
        If the polygon, the shape or an option is bad.

    Examples
    --------
    >>> import polymask
    >>> row, start, stop = polymask.polygon_runs([(1, 1), (6, 1), (3, 4)], (5, 8))
    >>> row.tolist(), start.tolist(), stop.tolist()
    ([1, 1, 2, 3, 4], [1, 6, 2, 3, 3], [2, 7, 6, 5, 4])
    """
    shape = check_shape(shape, polygon)
    found = of_parts([geometry.parts(polygon, order)])
    many = many_of(found, shape, border_value, center, offset, watertight, all_touched, threads)
    return Runs(*_runs_of(many, shape, 1)[0])


def label_runs(
    polygons: Polygons,
    shape: Pair,
    *,
    labels: Iterable[SupportsIndex] | None = None,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = NO_OFFSET,
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> LabelRuns:
    """Return the runs of many polygons, each with the label of its polygon.

    Polygons do not hide each other: where they overlap, each has its run.

    Parameters
    ----------
    polygons : sequence, ndarray, GeoSeries, mapping, or tuple of ndarray
        A set of polygons in any form that `polymask.ragged.ragged` lists: arrays, lists of rings,
        shapely's geometries, ragged arrays.
    labels : sequence of int, optional
        A label per polygon; 1, 2, 3, ... if None.
    shape, order, border_value, center, offset, watertight, all_touched, threads
        As for `polygon_mask`; threads share the polygons.

    Returns
    -------
    LabelRuns
        A tuple of arrays row, start, stop, label, and the offsets of each polygon's runs.

    Raises
    ------
    TypeError, ValueError
        If a polygon is bad (the text says which), labels are, the shape or an option.

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
    shape = check_shape(shape, polygons)
    found = ragged(polygons, order).copy()  # the engine looks twice: how much room, and what
    labels = feature_values.check_labels(labels, found.features)
    many = many_of(found, shape, border_value, center, offset, watertight, all_touched, threads)
    columns, offsets = _runs_of(many, shape, found.features)
    return LabelRuns(*columns, np.repeat(labels, np.diff(offsets)), offsets)


def pixel_counts(
    polygons: Polygons,
    shape: Pair,
    *,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = NO_OFFSET,
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> NDArray[np.int64]:
    """Return how many pixels of an image each polygon has; neither mask nor run is stored.

    Parameters
    ----------
    polygons, shape, order, border_value, center, offset, watertight, all_touched, threads
        As for `label_runs`.

    Returns
    -------
    ndarray, shape (N,), int64

    Raises
    ------
    TypeError, ValueError
        If a polygon is bad (the text says which), the shape or an option.

    Examples
    --------
    >>> import polymask
    >>> square = [(1.5, -0.5), (3.5, -0.5), (3.5, 1.5), (1.5, 1.5)]
    >>> triangle = [(-0.5, -0.5), (2.6, -0.5), (-0.5, 2.6)]
    >>> polymask.pixel_counts([square, triangle], (3, 4))
    array([4, 6])
    """
    shape = check_shape(shape, polygons)
    found = ragged(polygons, order)
    counts = np.empty(found.features, np.int64)
    many = many_of(found, shape, border_value, center, offset, watertight, all_touched, threads)
    many.counts(counts)
    return counts


def pixel_centroids(
    polygons: Polygons,
    shape: Pair,
    *,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = NO_OFFSET,
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> NDArray[np.float64]:
    """Return the mean sample of each polygon's pixels.

    Sums of the image's rows and columns are exact integers; they are divided once.

    Parameters
    ----------
    polygons, shape, order, border_value, center, offset, watertight, all_touched, threads
        As for `label_runs`.

    Returns
    -------
    ndarray, shape (N, 2), float64
        x and y of the image as the vertices have them: with `center` and `offset`; row and column
        with `order="rc"`. NaN for a polygon without pixels.

    Raises
    ------
    TypeError, ValueError
        If a polygon is bad (the text says which), the shape or an option.

    Examples
    --------
    >>> import polymask
    >>> square = [(1.5, -0.5), (3.5, -0.5), (3.5, 1.5), (1.5, 1.5)]
    >>> polymask.pixel_centroids([square], (3, 4))
    array([[2.5, 0.5]])
    """
    row, col = offset = contract.check_offset(offset)
    shape = check_shape(shape, polygons)
    found = ragged(polygons, order)
    sums = np.empty((found.features, 3), np.int64)
    many = many_of(found, shape, border_value, center, offset, watertight, all_touched, threads)
    many.sums(sums)
    means = np.full((len(sums), 2), np.nan)
    filled = sums[:, 0] > 0
    means[filled] = _means(
        sums[filled, :1], sums[filled, :0:-1], np.array((col, row), np.int64), center
    )
    return np.ascontiguousarray(means[:, ::-1]) if order == "rc" else means


def _means(counts, sums, first, center):
    """Return first + sums / counts, plus half a pixel with `center`, rounded once.

    So a window has the centroids of the whole image.
    """
    most = int(np.abs(sums).max(initial=0))
    most += int(counts.max(initial=0)) * (int(np.abs(first).max()) + 1)
    if most > 2**51:  # twice that, plus a count, would be no exact double: Python's integers are
        counts, sums, first = (numbers.astype(object) for numbers in (counts, sums, first))
    sums = sums + counts * first
    return ((2 * sums + counts) / (2 * counts) if center else sums / counts).astype(np.float64)


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
    """Return the mask that has ones where runs are.

    Parameters
    ----------
    runs : Runs, LabelRuns, or tuple of array_like
        Rows, starts and stops, in any order; runs may overlap. What follows them is ignored.
    shape : tuple of int
        (rows, cols).
    out, dtype
        As for `polygon_mask`.

    Returns
    -------
    ndarray, shape (rows, cols), bool or uint8
        It is `out` if that was given.

    Raises
    ------
    TypeError, ValueError
        If a run is none, or lies outside of the image (the text says which); if the shape, `out`
        or an option is bad. Nothing has been written then.

    Examples
    --------
    >>> import polymask
    >>> polymask.runs_to_mask(([0, 1], [1, 0], [3, 2]), (2, 4), dtype="uint8")
    array([[0, 1, 1, 0],
           [1, 1, 0, 0]], dtype=uint8)
    """
    rows, cols = shape = contract.check_shape(shape)
    dtype = check_dtype(dtype, out, False)
    if out is not None:
        contract.check_out(out, shape, dtype)
    row, start, stop = map(np.array, contract.check_runs(runs))  # nobody writes to copies
    bad = (row < 0) | (row >= rows) | (start < 0) | (stop < start) | (stop > cols)
    if bad.any():
        first = int(bad.argmax())
        raise ValueError(
            f"run {first}, row {row[first]} from {start[first]} to {stop[first]}, "
            f"lies outside of the image {shape}"
        )
    if out is None:
        out = np.zeros(shape, dtype)
    else:
        out[...] = 0
    if row.size and out.size:
        _many.paint(row, start, stop, out.view(np.uint8))
    return out


def many_of(found, shape, border_value, center, offset, watertight, all_touched, threads):
    """Check what sampling needs, and return the polygons as the engine takes them."""
    sampling = contract.check_sampling(shape, border_value, center, offset, watertight, threads)
    if offset is contract.NO_OFFSET:  # no memory limits the shape
        contract.check_samples(shape, offset, center)
    return _many.Many(found, shape, *sampling, contract.check_all_touched(all_touched))


def _runs_of(many, shape, features):
    """Return row, start and stop of all runs, and the features' offsets into them."""
    dtype = np.int32 if max(shape) < 2**31 else np.int64
    most = many.most_runs()
    columns = [np.empty(most, dtype) for _ in range(3)]
    offsets = np.zeros(features + 1, np.int64)
    count = many.runs(offsets[1:], *columns)
    for column in columns:  # what was not written was not touched: mostly no copy
        column.resize(count, refcheck=False)
    return columns, offsets
