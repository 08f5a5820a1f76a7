"""Zonal statistics: what the values of an image are within each of many polygons.

Each polygon has its own pixels, those of `polygon_mask`, where others overlap it too. They are read
along the polygons' runs; no mask is made, nor an image of labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polymask import contract
from polymask.common import error_text
from polymask.geodata.ragged import ragged
from polymask.masks.many import many_of
from polymask.masks.sampling import NO_OFFSET

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import ArrayLike, NDArray

    from polymask.hints import Flag, Order, Pair, Polygons, Scalar, Touched

HALF = 2**32 - 1  # the lower bits of 64


class Statistics(NamedTuple):
    """What the values within each of N polygons are; arrays of shape (N,).

    Attributes
    ----------
    count : ndarray of int64
        How many pixels of the polygon have a value.
    sum : ndarray of int64, uint64 or float64
        Of integers exact; of floats added up as float64.
    mean, min, max : ndarray of float64
        NaN where there is no value. Integers beyond 2**53 are rounded.
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
    """Return count, sum, mean, minimum and maximum of an image within each polygon.

    Parameters
    ----------
    polygons : sequence, ndarray, GeoSeries, mapping, or tuple of ndarray
        A set of polygons in any form that `polymask.ragged.ragged` lists: arrays, lists of rings,
        shapely's geometries, ragged arrays.
    image : array_like, shape (rows, cols)
        Integers, bool or floats of at most 64 bits. NaN is no value, and nor is what a
        `numpy.ma.MaskedArray` masks.
    nodata : number, optional
        Pixels that equal it have no value.
    order, border_value, center, offset, watertight, all_touched, threads
        As for `polygon_mask`; `offset` is where the image lies in a larger one. Threads share the
        polygons. The result does not depend on their number.

    Returns
    -------
    Statistics
        A tuple of arrays count, sum, mean, min, max. Infinite values are values: where a polygon
        has both inf and -inf, its sum and its mean are NaN.

    Raises
    ------
    TypeError, ValueError
        If a polygon is bad (the text says which), the image or an option; if a sum of integers
        does not fit 64 bits.

    Examples
    --------
    >>> import numpy as np, polymask
    >>> image = np.arange(24).reshape(4, 6)
    >>> square = [(1.5, 0.5), (3.5, 0.5), (3.5, 2.5), (1.5, 2.5)]
    >>> found = polymask.polygon_statistics([square], image)
    >>> found.count, found.sum, found.mean, found.min, found.max
    (array([4]), array([46]), array([11.5]), array([8.]), array([15.]))
    """
    if _is_image(polygons):
        raise ValueError("the polygons come first, then the image: they are swapped")
    values, missing, given = _read(image)
    found = ragged(polygons, order)
    many = many_of(
        found, values.shape, border_value, center, offset, watertight, all_touched, threads
    )
    nodata = _as_value(nodata, given)
    count, total, low, high = _added(many, found.features, values, missing, nodata)
    if values.dtype.kind in "iu" and values.itemsize == 8 and _may_wrap(count, low, high):
        if nodata is not None:
            missing = (values == nodata) | (False if missing is None else missing.view(bool))
            missing = missing.view(np.uint8)
        halves = values >> 32, values & HALF
        halves = (_added(many, found.features, half, missing, None)[1] for half in halves)
        _refuse_wrapped(*halves, total)
    none = count == 0
    low, high = (np.where(none, np.nan, end.astype(np.float64)) for end in (low, high))
    mean = np.full(found.features, np.nan)
    with np.errstate(all="ignore"):  # a mean may be too small for float64, as values may be
        np.divide(total, count, out=mean, where=~none)
    if values.dtype.kind in "iu":  # sum and quotient are rounded, each
        np.clip(mean, low, high, out=mean)
    return Statistics(count, total, mean, low, high)


def _added(many, features, values, missing, nodata):
    """Return count, sum, least and largest value of each polygon, integers modulo 2**64."""
    sums = {"f": np.float64, "u": np.uint64, "i": np.int64}[values.dtype.kind]
    fields = [("count", np.int64), ("sum", sums), ("min", values.dtype), ("max", values.dtype)]
    out = np.zeros(features, np.dtype(fields, align=True))  # as C++ lays them out
    many.statistics(values, missing, nodata, out.view(np.uint8))
    return [np.ascontiguousarray(out[name]) for name, _ in fields]


def _may_wrap(count, low, high):
    """Whether a sum may be beyond 64 bits: none is beyond the count times the farthest value."""
    most = count * np.maximum(np.abs(low.astype(float)), np.abs(high.astype(float)))
    return (most >= 2.0**62).any()


def _refuse_wrapped(upper, lower, total):
    """Refuse sums that 64 bits do not hold; those of the values' halves are exact."""
    for number, (one, other, whole) in enumerate(
        zip(upper.tolist(), lower.tolist(), total.tolist(), strict=True)
    ):
        if one * 2**32 + other != whole:
            raise ValueError(
                f"polygon {number}: its sum does not fit 64 bits: give the image as float64, or "
                "less an offset"
            )


def _is_image(polygons):
    """Whether it is an array of the shape of an image, and not of vertices."""
    if not isinstance(polygons, np.ndarray) or polygons.dtype == object:
        return False
    return polygons.ndim == 2 and polygons.shape[1] != 2


def _read(image):
    """Return an image's values, as compiled code takes them, where there are none, and its type.

    Values of 16 bits are widened; what `nodata` is, the image's own type says.
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
        why = error_text.why_no_array(image, error)
        raise ValueError(f"image must have the shape (rows, cols), {why}") from None
    if values.dtype.kind not in "iufb" or values.itemsize > 8:
        raise TypeError(f"image must be real numbers of 64 bits, got dtype {values.dtype}")
    if values.ndim != 2:
        raise ValueError(f"image must have the shape (rows, cols), got {values.shape}")
    contract.check_shape(values.shape)
    if values.dtype == bool:
        values = contract.as_zeros_and_ones(values).view(np.uint8)
    given = values.dtype
    if given.kind == "f" and given.itemsize == 2:
        values = values.astype(np.float32)
    return contract.as_read(values, values.dtype.newbyteorder("=")), missing, given


def _as_value(nodata, dtype):
    """Return `nodata` as a number of that type, None where no pixel can equal it."""
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
