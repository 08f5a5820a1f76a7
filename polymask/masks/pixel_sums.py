"""The number and the centroid of polygons' pixels, summed along runs that are not stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polymask import contract
from polymask.forms.ragged import ragged
from polymask.masks.many import make_many
from polymask.masks.sampling import NO_OFFSET

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import NDArray

    from polymask.hints import Flag, Order, Pair, Polygons, Touched


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
    """Return the number of pixels of each polygon, without computing masks.

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
        If a polygon (the message names it), the shape or an option is invalid.

    Examples
    --------
    >>> import polymask
    >>> square = [(1.5, -0.5), (3.5, -0.5), (3.5, 1.5), (1.5, 1.5)]
    >>> triangle = [(-0.5, -0.5), (2.6, -0.5), (-0.5, 2.6)]
    >>> polymask.pixel_counts([square, triangle], (3, 4))
    array([4, 6])
    """
    shape = contract.check_shape(shape, polygons)
    arrays = ragged(polygons, order)
    counts = np.empty(arrays.features, np.int64)
    many = make_many(arrays, shape, border_value, center, offset, watertight, all_touched, threads)
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
    """Return the centroid of each polygon's pixels: the mean of their samples.

    Rows and columns are summed exactly, as integers, and divided once.

    Parameters
    ----------
    polygons, shape, order, border_value, center, offset, watertight, all_touched, threads
        As for `label_runs`.

    Returns
    -------
    ndarray, shape (N, 2), float64
        x and y, or row and column with `order="rc"`, in the coordinates of the vertices: `center`
        and `offset` are included. NaN for a polygon without pixels.

    Raises
    ------
    TypeError, ValueError
        If a polygon (the message names it), the shape or an option is invalid.

    Examples
    --------
    >>> import polymask
    >>> square = [(1.5, -0.5), (3.5, -0.5), (3.5, 1.5), (1.5, 1.5)]
    >>> polymask.pixel_centroids([square], (3, 4))
    array([[2.5, 0.5]])
    """
    shape = contract.check_shape(shape, polygons)
    arrays = ragged(polygons, order)
    sums = np.empty((arrays.features, 3), np.int64)
    many = make_many(arrays, shape, border_value, center, offset, watertight, all_touched, threads)
    many.sums(sums)
    means = np.full((len(sums), 2), np.nan)
    filled = sums[:, 0] > 0
    first = np.array(many.sampling.offset[::-1], np.int64)
    means[filled] = _means(sums[filled, :1], sums[filled, :0:-1], first, many.sampling.center)
    return np.ascontiguousarray(means[:, ::-1]) if order == "rc" else means


def _means(counts, sums, first, center):
    """Return first + sums / counts, plus half a pixel with `center`, rounded once.

    Centroids in a window therefore equal those in the whole image.
    """
    bound = int(np.abs(sums).max(initial=0))
    bound += int(counts.max(initial=0)) * (int(np.abs(first).max()) + 1)
    if bound > 2**51:  # twice that, plus a count, is not exact in doubles: use Python integers
        counts, sums, first = (numbers.astype(object) for numbers in (counts, sums, first))
    sums = sums + counts * first
    return ((2 * sums + counts) / (2 * counts) if center else sums / counts).astype(np.float64)
