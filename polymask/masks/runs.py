"""Runs instead of masks: the starts and stops of the polygons' pixels in each row.

No mask is computed, so the cost depends on the crossings of edges with rows, not on the pixels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polymask.forms import feature_values
from polymask.maps.georeference import AS_IT_IS
from polymask.masks.view import view_of, with_options

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import SupportsIndex

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from polymask.hints import OnInvalid, Options, Pair, Polygons


class LabelRuns(NamedTuple):
    """Runs of many polygons, one polygon after another, each sorted by row and start.

    Runs of a polygon in a row do not touch each other.

    Attributes
    ----------
    row, start, stop : ndarray, shape (M,), int32 or int64
        Run i covers the pixels ``mask[row[i], start[i] : stop[i]]``. The dtype is int64 only if the
        image has 2**31 or more rows or columns.
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
        runs. Rows and columns are relative to the window.

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
