"""Zonal statistics: summaries of an image's values within each of many polygons.

A polygon has all the pixels of its `polygon_mask`, even where others overlap it. Pixels are read
along the polygon's runs, without a mask or a label image.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polymask import contract
from polymask.common import error_text
from polymask.geodata.ragged import ragged
from polymask.masks.many import make_many
from polymask.masks.sampling import NO_OFFSET

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import ArrayLike, NDArray

    from polymask.hints import Flag, Order, Pair, Polygons, Scalar, Touched

HALF = 2**32 - 1  # the lower half of 64 bits


class Statistics(NamedTuple):
    """Statistics of the values within each of N polygons, as arrays of shape (N,).

    Attributes
    ----------
    count : ndarray of int64
        The number of the polygon's pixels that have a value.
    sum : ndarray of int64, uint64 or float64
        Exact for integers; floats are summed in float64.
    mean, min, max : ndarray of float64
        NaN for a polygon without values. Integers beyond 2**53 are rounded.
    """

    count: NDArray[np.int64]  # type: ignore[assignment]  # tuples have a method of that name
    sum: NDArray[Any]
    mean: NDArray[np.float64]
    min: NDArray[np.float64]
    max: NDArray[np.float64]


def polygon_statistics(
    polygons: Polygons,
    image: ArrayLike,
    *,
    nodata: Scalar | None = None,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = NO_OFFSET,
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> Statistics:
    """Return the count, sum, mean, minimum and maximum of an image within each polygon.

    Parameters
    ----------
    polygons : sequence, ndarray, GeoSeries, mapping, or tuple of ndarray
        A set of polygons in any form that `polymask.ragged.ragged` accepts: arrays, lists of rings,
        shapely geometries, ragged arrays.
    image : array_like, shape (rows, cols)
        Integers, bool or floats of at most 64 bits. NaN and masked elements of a
        `numpy.ma.MaskedArray` are missing values.
    nodata : number, optional
        The value of pixels that are missing values.
    order, border_value, center, offset, watertight, all_touched, threads
        As for `polygon_mask`; `offset` is the position of the image in a larger one. The polygons
        are divided among the threads, whose number does not change the result.

    Returns
    -------
    Statistics
        A named tuple of the arrays count, sum, mean, min and max. Infinite values are included: if
        a polygon has both inf and -inf, its sum and mean are NaN.

    Raises
    ------
    TypeError, ValueError
        If a polygon (the message names it), the image or an option is invalid, or if a sum of
        integers does not fit 64 bits.

    Examples
    --------
    >>> import numpy as np, polymask
    >>> image = np.arange(24).reshape(4, 6)
    >>> square = [(1.5, 0.5), (3.5, 0.5), (3.5, 2.5), (1.5, 2.5)]
    >>> stats = polymask.polygon_statistics([square], image)
    >>> stats.count, stats.sum, stats.mean, stats.min, stats.max
    (array([4]), array([46]), array([11.5]), array([8.]), array([15.]))
    """
    if _is_image(polygons):
        raise ValueError("the arguments are swapped: the polygons come first, then the image")
    values, missing, image_dtype = _read(image)
    arrays = ragged(polygons, order)
    many = make_many(
        arrays, values.shape, border_value, center, offset, watertight, all_touched, threads
    )
    nodata = _as_value(nodata, image_dtype)
    count, total, low, high = _accumulate(many, arrays.features, values, missing, nodata)
    if values.dtype.kind in "iu" and values.itemsize == 8 and _may_wrap(count, low, high):
        if nodata is not None:
            missing = (values == nodata) | (False if missing is None else missing.view(bool))
            missing = missing.view(np.uint8)
        halves = values >> 32, values & HALF
        halves = (_accumulate(many, arrays.features, half, missing, None)[1] for half in halves)
        _refuse_wrapped(*halves, total)
    is_empty = count == 0
    low, high = (np.where(is_empty, np.nan, x.astype(np.float64)) for x in (low, high))
    mean = np.full(arrays.features, np.nan)
    with np.errstate(all="ignore"):  # the mean of tiny values may underflow
        np.divide(total, count, out=mean, where=~is_empty)
    if values.dtype.kind in "iu":  # rounding may move the mean out of the range
        np.clip(mean, low, high, out=mean)
    return Statistics(count, total, mean, low, high)


def _accumulate(many, features, values, missing, nodata):
    """Return the count, sum, minimum and maximum of each polygon; integers modulo 2**64."""
    sums = {"f": np.float64, "u": np.uint64, "i": np.int64}[values.dtype.kind]
    fields = [("count", np.int64), ("sum", sums), ("min", values.dtype), ("max", values.dtype)]
    out = np.zeros(features, np.dtype(fields, align=True))  # the layout of the C++ struct
    many.statistics(values, missing, nodata, out.view(np.uint8))
    return [np.ascontiguousarray(out[name]) for name, _ in fields]


def _may_wrap(count, low, high):
    """Return whether a sum may exceed 64 bits: its bound is the count times the largest value."""
    bound = count * np.maximum(np.abs(low.astype(float)), np.abs(high.astype(float)))
    return (bound >= 2.0**62).any()


def _refuse_wrapped(upper, lower, total):
    """Refuse sums that do not fit 64 bits, detected by exact sums of the values' halves."""
    for number, (high, low, whole) in enumerate(
        zip(upper.tolist(), lower.tolist(), total.tolist(), strict=True)
    ):
        if high * 2**32 + low != whole:
            raise ValueError(
                f"polygon {number}: its sum does not fit 64 bits. Convert the image to float64, or "
                "subtract an offset from it."
            )


def _is_image(polygons):
    """Return whether an argument is an array with the shape of an image, not of vertices."""
    if not isinstance(polygons, np.ndarray) or polygons.dtype == object:
        return False
    return polygons.ndim == 2 and polygons.shape[1] != 2


def _read(image):
    """Return an image's values for compiled code, the mask of missing values, and its dtype.

    float16 is widened, but `nodata` is compared in the image's own dtype.
    """
    missing = None
    if isinstance(image, np.ma.MaskedArray):
        if image.mask is not np.ma.nomask:
            missing = np.ascontiguousarray(image.mask).view(np.uint8)
        image = image.data
    contract.refuse_masked(image, "image")
    try:
        values = np.asarray(image)
    except ValueError as error:
        reason = error_text.why_no_array(image, error)
        raise ValueError(f"image must have the shape (rows, cols), {reason}") from None
    if values.dtype.kind not in "iufb" or values.itemsize > 8:
        raise TypeError(f"image must be real numbers of at most 64 bits, got dtype {values.dtype}")
    if values.ndim != 2:
        raise ValueError(f"image must have the shape (rows, cols), got {values.shape}")
    contract.check_shape(values.shape)
    if values.dtype == bool:
        values = contract.as_zeros_and_ones(values).view(np.uint8)
    image_dtype = values.dtype
    if image_dtype.kind == "f" and image_dtype.itemsize == 2:
        values = values.astype(np.float32)
    return contract.as_contiguous(values, values.dtype.newbyteorder("=")), missing, image_dtype


def _as_value(nodata, dtype):
    """Convert `nodata` to a number of a dtype, or to None if no pixel can equal it."""
    if nodata is None:
        return None
    number = contract.check_number(nodata, "nodata")
    if dtype.kind == "f":
        try:
            with np.errstate(all="ignore"):
                return dtype.type(number)
        except OverflowError:  # an integer beyond all floats
            return None
    limits = np.iinfo(dtype)
    fits = limits.min <= number <= limits.max and number == int(number)
    return int(number) if fits else None
