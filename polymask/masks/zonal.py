"""Zonal statistics: summaries of an image's values within each of many polygons.

A polygon has all the pixels of its `polygon_mask`, even where others overlap it. Pixels are read
along the polygon's runs, without a mask or a label image.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from polymask.forms import geometry
from polymask.maps.georeference import AS_IT_IS
from polymask.masks import _many, zonal_columns, zonal_images, zonal_summaries, zonal_windows
from polymask.masks.coverage import FARTHEST
from polymask.masks.sampling import check_samples
from polymask.masks.view import view_of, with_options
from polymask.masks.zonal_summaries import halve, may_wrap, refuse_wrapped, with_nodata

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from polymask.hints import ManyOptions, OnInvalid, Options, Polygons, Scalar


class Statistics(NamedTuple):
    """Statistics of the values within each of N polygons, as arrays of shape (N,).

    Attributes
    ----------
    count : ndarray of int64
        The number of the polygon's pixels that have a value.
    sum : ndarray of int64, uint64 or float64
        Exact for integers; floats are summed in float64.
    mean : ndarray of float64
        NaN for a polygon without values.
    min, max : ndarray
        Of floats, float64, with NaN for a polygon without values. Of integers, the image's dtype
        (uint8 for bool); a `numpy.ma.MaskedArray` if there is a polygon without values. The data
        beneath the mask are 0. See the notes of `polygon_statistics`.
    """

    count: NDArray[np.int64]  # type: ignore[assignment]  # tuples have a method of that name
    sum: NDArray[Any]
    mean: NDArray[np.float64]
    min: NDArray[Any]
    max: NDArray[Any]


@overload
def polygon_statistics(
    polygons: Polygons,
    image: ArrayLike,
    *,
    statistics: None = None,
    weights: None = None,
    nodata: Scalar | None = None,
    **options: Unpack[ManyOptions],
) -> Statistics: ...
@overload
def polygon_statistics(
    polygons: Polygons,
    image: ArrayLike | Mapping[str, ArrayLike],
    *,
    statistics: Sequence[str],
    weights: Literal["coverage"] | None = None,
    nodata: Scalar | None = None,
    **options: Unpack[ManyOptions],
) -> dict[str, Any]: ...
@with_options()
def polygon_statistics(
    polygons: Polygons,
    image: ArrayLike | Mapping[str, ArrayLike],
    *,
    statistics: Sequence[str] | None = None,
    weights: Literal["coverage"] | None = None,
    nodata: Scalar | None = None,
    on_invalid: OnInvalid = "raise",
    **options: Unpack[Options],
) -> Statistics | dict[str, Any]:
    """Return statistics of an image within each polygon: by default count, sum, mean, min and max.

    Parameters
    ----------
    polygons, on_invalid
        As for `polygon_masks`. An invalid polygon has no values.
    image : array_like, shape (rows, cols), or mapping of names to such images
        Integers, bool or floats of at most 64 bits. NaN and masked elements of a
        `numpy.ma.MaskedArray` are missing values. Images of a mapping have the same shape.
    statistics : sequence of str, optional
        Names as in exactextract: "count", "sum", "mean", "min", "max", "median", "quantile(q=0.9)",
        "variance", "stdev", "coefficient_of_variation", "variety" (the number of distinct values),
        "majority", "minority", "unique" (the distinct values, sorted), "unique_counts" (the number
        of pixels of each), "frac" (their share of the pixels). See Notes.
    weights : {None, "coverage"}
        If "coverage", each pixel that a polygon covers counts with the covered fraction of its
        square, as by `coverage`. The values in exactextract are those. It requires `statistics`,
        and excludes `all_touched`; `border_value` and `watertight` have no effect.
    nodata : number, optional
        The value of pixels that are missing values.
    order, border_value, center, offset, watertight, all_touched, threads, transform
        As for `polygon_mask`; `offset` is the position of the image in a larger one. The polygons
        are divided among the threads, whose number does not change the result.

    Returns
    -------
    Statistics
        A named tuple of the arrays count, sum, mean, min and max. Infinite values are included: if
        a polygon has both inf and -inf, its sum and mean are NaN.
    dict of str to ndarray or list of ndarray
        If `statistics` is given: an array of shape (N,) for each name; "quantile_90" is the name
        for "quantile(q=0.9)". "majority" and "minority" have the dtype of "min" and "max". For
        "unique", "unique_counts" and "frac", a list of N arrays. For a mapping of images, names
        begin with that of the image: "red_mean".

    Raises
    ------
    TypeError, ValueError
        If a polygon (the message names it), the image or an option is invalid, or if a sum of
        integers does not fit 64 bits.

    Notes
    -----
    Median and quantiles are those of `numpy.median` and `numpy.percentile` (linear) for the values
    as float64. The variance is that of the population, in two passes: squares of the deviations
    from the mean, corrected by their sum. If several values are equally frequent, "majority" is the
    largest, and "minority" the smallest. A polygon without values has NaN, a masked integer, or a
    count of 0.

    pandas converts a masked column of integers to floats, which rounds integers beyond 2**53. They
    stay exact with ``pandas.arrays.IntegerArray(numpy.ma.getdata(c), numpy.ma.getmaskarray(c))``,
    whether the column ``c`` is masked or not.

    With weights, "count" is the sum of the weights, "sum" that of weight times value, "mean" their
    quotient, and the variance the weighted one. "frac", "unique_counts", "majority" and "minority"
    compare weights. Median and quantiles are interpolated between the distinct values as in
    exactextract, which cuts them to integers for images of integers. Even with equal weights, they
    differ from those without weights if values repeat.

    Each thread keeps the values of one polygon in memory, except for the five default statistics.

    Examples
    --------
    >>> import numpy as np, polymask
    >>> image = np.arange(24).reshape(4, 6)
    >>> square = [(1.5, 0.5), (3.5, 0.5), (3.5, 2.5), (1.5, 2.5)]
    >>> stats = polymask.polygon_statistics([square], image)
    >>> stats.count, stats.sum, stats.mean, stats.min, stats.max
    (array([4]), array([46]), array([11.5]), array([8]), array([15]))
    >>> polymask.polygon_statistics([square], image, statistics=["median", "quantile(q=0.9)"])
    {'median': array([11.5]), 'quantile_90': array([14.7])}
    """
    if _is_image(polygons):
        raise ValueError("the arguments are swapped: the polygons come first, then the image")
    wanted = check_request(statistics, weights, image)
    shape, bands = zonal_images.read_bands(image, nodata)
    view = view_of(polygons, shape, **options)
    view = view if weights is None else view.of_squares()
    check_samples(shape, view.sampling.offset, view.sampling.center)
    arrays = view.ragged(polygons, on_invalid)
    if view.turn != AS_IT_IS:
        bands = {name: band.turned(view.turn) for name, band in bands.items()}
    return summarize(arrays, bands, view.sampling, wanted)


def check_request(statistics, weights, image):
    """Return the checked Request, or None for the five default statistics of one image."""
    if statistics is not None:
        return zonal_columns.request(statistics, weights)
    if weights is not None or isinstance(image, Mapping):
        raise ValueError(
            "weights and a mapping of images need names of statistics: add, for example, "
            'statistics=["count", "mean"]'
        )
    return None


def summarize(arrays, bands, sampling, wanted):
    """Return the statistics of the results of `read_bands`; the arguments are checked."""
    (shape,) = {band.values.shape for band in bands.values()}
    if wanted is None:
        return _five(_many.Many(arrays, shape, sampling), arrays.features, *bands[None])
    check_weights(wanted, arrays, sampling)
    read = [
        zonal_summaries.Band(partial(zonal_windows.crop, *each[:2]), each.values.dtype, each.nodata)
        for each in bands.values()
    ]
    steps = partial(zonal_windows.whole, shape, arrays.features, max(arrays.features, 1))
    columns = zonal_summaries.compute(arrays, sampling, read, steps, wanted)
    return {
        column if name is None else f"{name}_{column}": values
        for name, of_image in zip(bands, columns, strict=True)
        for column, values in of_image.items()
    }


def _five(many, features, values, missing, nodata):
    """Return the five default statistics of an image."""
    count, total, low, high = _accumulate(many, features, values, missing, nodata)
    if may_wrap(values.dtype, count, low, high):
        if nodata is not None:
            missing = with_nodata(values, missing, nodata)
        halves = (halve(values, upper) for upper in (True, False))
        halves = (_accumulate(many, features, half, missing, None)[1] for half in halves)
        refuse_wrapped(*halves, total)
    mean = zonal_columns.mean_of_pixels({"count": count, "sum": total, "min": low, "max": high})
    low, high = (zonal_columns.or_missing(values, count) for values in (low, high))
    return Statistics(count, total, mean, low, high)


def _accumulate(many, features, values, missing, nodata):
    """Return the count, sum, minimum and maximum of each polygon; integers modulo 2**64."""
    sums = zonal_summaries.SUMS[values.dtype.kind]
    fields = [("count", np.int64), ("sum", sums), ("min", values.dtype), ("max", values.dtype)]
    out = np.zeros(features, np.dtype(fields, align=True))  # the layout of the C++ struct
    many.statistics(values, missing, nodata, out.view(np.uint8))
    return [np.ascontiguousarray(out[name]) for name, _ in fields]


def check_weights(wanted, arrays, sampling):
    """Refuse options and vertices that weights by coverage exclude."""
    if not wanted.weighted:
        return
    if sampling.squares is not None:
        raise ValueError('weights="coverage" and all_touched exclude each other: drop one')
    geometry.check_near(arrays.vertices, FARTHEST, "fractions at its edges would be wrong")


def _is_image(polygons):
    """Return whether an argument is an array with the shape of an image, not of vertices."""
    if not isinstance(polygons, np.ndarray) or polygons.dtype == object:
        return False
    return polygons.ndim == 2 and polygons.shape[1] != 2
