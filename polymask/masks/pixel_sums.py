"""The number and the centroid of polygons' pixels, summed along runs that are not stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polymask.masks.view import view_of, with_options

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from polymask.hints import OnInvalid, Options, Pair, Polygons


@with_options()
def pixel_counts(
    polygons: Polygons,
    shape: Pair | None = None,
    *,
    on_invalid: OnInvalid = "raise",
    **options: Unpack[Options],
) -> NDArray[np.int64]:
    """Return the number of pixels of each polygon, without computing masks.

    Parameters
    ----------
    polygons, shape, on_invalid
        As for `polygon_masks`.
    order, border_value, center, offset, watertight, all_touched, threads, transform
        As for `polygon_mask`; the polygons are divided among the threads.

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
    view = view_of(polygons, shape, **options)
    arrays = view.ragged(polygons, on_invalid)
    counts = np.empty(arrays.features, np.int64)
    view.many(arrays).counts(counts)
    return counts


@with_options()
def pixel_centroids(
    polygons: Polygons,
    shape: Pair | None = None,
    *,
    on_invalid: OnInvalid = "raise",
    **options: Unpack[Options],
) -> NDArray[np.float64]:
    """Return the centroid of each polygon's pixels: the mean of their samples.

    Rows and columns are summed exactly, as integers, and divided once.

    Parameters
    ----------
    polygons, shape, on_invalid
        As for `polygon_masks`.
    order, border_value, center, offset, watertight, all_touched, threads, transform
        As for `polygon_mask`; the polygons are divided among the threads.

    Returns
    -------
    ndarray, shape (N, 2), float64
        x and y, or row and column with `order="rc"`, in the coordinates of the vertices: `center`,
        `offset` and `transform` are included. NaN for a polygon without pixels.

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
    view = view_of(polygons, shape, **options)
    arrays = view.ragged(polygons, on_invalid)
    sums = np.empty((arrays.features, 3), np.int64)
    view.many(arrays).sums(sums)
    means = np.full((len(sums), 2), np.nan)
    filled = sums[:, 0] > 0
    first = np.array(view.sampling.offset[::-1], np.int64)
    means[filled] = _means(sums[filled, :1], sums[filled, :0:-1], first, view.sampling.center)
    if view.grid is not None:
        means = view.grid.transform(means)
    return np.ascontiguousarray(means[:, ::-1]) if view.order == "rc" else means


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
