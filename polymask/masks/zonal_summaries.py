"""Summaries of the values of images in many polygons, from windows of the images."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polymask.masks import _summaries
from polymask.masks.zonal_columns import Parts, Summaries, as_columns

if TYPE_CHECKING:
    from collections.abc import Callable

HALF = 2**32 - 1  # the lower half of 64 bits
BOUNDS = "count", "min", "max"
SUMS = {"f": np.float64, "u": np.uint64, "i": np.int64}  # by the kind of a dtype


class SumTooLarge(ValueError):
    """The sum of a polygon's values does not fit 64 bits."""

    @property
    def number(self):
        """The polygon's number."""
        return self.args[0]

    def __str__(self):
        return (
            f"polygon {self.number}: its sum does not fit 64 bits. Convert the image to float64, "
            "or subtract an offset from it."
        )


class Band(NamedTuple):
    """An image that is read in windows.

    Attributes
    ----------
    read : callable
        Returns the values of a Window, a C-contiguous array in native byte order, and the missing
        ones as a uint8 array, or None.
    dtype : dtype
        That of the values.
    nodata : number or None
        The value of pixels that are missing values, of that dtype.
    """

    read: Callable[[Any], tuple[np.ndarray, np.ndarray | None]]
    dtype: np.dtype[Any]
    nodata: Any = None


def compute(arrays, sampling, bands, plan, wanted, advance=lambda count: None):
    """Return the columns of each band in a list.

    Parameters
    ----------
    arrays : polymask.forms.ragged.Ragged
    sampling : polymask.masks.sampling.Sampling
        Its offset is the position of the images.
    bands : list of Band
    plan : callable
        Returns the steps, each time it is called.
    wanted : polymask.masks.zonal_columns.Request
    advance : callable, optional
        Receives the number of features that each step completes.
    """
    results = _run(arrays, sampling, bands, plan(), wanted.parts, advance)
    for band, result in zip(bands, results, strict=True):
        if wanted.needs_sums and may_wrap(band.dtype, *(result.pixels[n] for n in BOUNDS)):
            halves = [_half(band, upper) for upper in (True, False)]
            halves = _run(arrays, sampling, halves, plan(), Parts())
            refuse_wrapped(*(half.pixels["sum"] for half in halves), result.pixels["sum"])
    return [as_columns(wanted, result) for result in results]


def _run(arrays, sampling, bands, steps, parts, advance=lambda count: None):
    """Add all windows of all bands; each is read once."""
    runs = [_summaries.Summaries(arrays, band.dtype, sampling, parts) for band in bands]
    nodata = [_bytes_of(band) for band in bands]
    for window, features, is_last in steps:
        top, bottom, left, right = window
        row, col = sampling.offset
        box = bottom - top, right - left, row + top, col + left
        for run, band, no_value in zip(runs, bands, nodata, strict=True):
            values, missing = band.read(window)
            pixels = values.reshape(-1).view(np.uint8)
            run.add(pixels, missing, no_value, box, features.astype(np.int64), is_last)
            del values, pixels, missing  # before the next one is read
        advance(int(is_last.sum()))
    return [
        _collect(run, arrays.features, band.dtype, parts)
        for run, band in zip(runs, bands, strict=True)
    ]


def _bytes_of(band):
    return None if band.nodata is None else np.array([band.nodata], band.dtype).view(np.uint8)


def _collect(run, features, dtype, parts):
    """Copy the results of compiled code to arrays."""
    out = np.zeros(features, _dtype(dtype))
    quantiles = np.full((features, len(parts.quantiles)), np.nan)
    run.write(out.view(np.uint8), quantiles)
    columns = [np.ascontiguousarray(out[name]) for name in out.dtype.names]
    if not parts.shares:
        return Summaries(*columns, quantiles)
    ends = np.zeros(features, np.int64)
    run.write_ends(ends)
    count = int(ends[-1]) if features else 0
    values, shares = np.empty(count, dtype), np.empty(count)
    run.write_shares(values.view(np.uint8), shares, features)
    return Summaries(*columns, quantiles, ends, values, shares)


def _dtype(dtype):
    """Return the layout of the C++ struct Summary."""
    sums = SUMS[dtype.kind]
    pixels = [("count", np.int64), ("sum", sums), ("min", dtype), ("max", dtype)]
    numbers = [(name, np.float64) for name in ("weight", "total", "variance", "median")]
    classes = [("variety", np.int64), ("majority", dtype), ("minority", dtype)]
    return np.dtype([("pixels", np.dtype(pixels, align=True)), *numbers, *classes], align=True)


def may_wrap(dtype, count, low, high):
    """Return whether a sum may exceed 64 bits: its bound is the count times the largest value."""
    if dtype.kind == "f" or dtype.itemsize < 8:
        return False
    bound = count * np.maximum(np.abs(low.astype(float)), np.abs(high.astype(float)))
    return (bound >= 2.0**62).any()


def halve(values, upper):
    """Return the upper or the lower 32 bits of 64-bit integers, whose sums fit."""
    return values >> 32 if upper else values & HALF


def _half(band, upper):
    band = without_nodata(band)

    def read(window):
        values, missing = band.read(window)
        return halve(values, upper), missing

    return Band(read, band.dtype)


def refuse_wrapped(upper, lower, total):
    """Refuse sums that do not fit 64 bits, detected by exact sums of the values' halves."""
    for number, (high, low, whole) in enumerate(
        zip(upper.tolist(), lower.tolist(), total.tolist(), strict=True)
    ):
        if high * 2**32 + low != whole:
            raise SumTooLarge(number)


def scaled(band, scale, offset):
    """Return the band of `scale` * values + `offset`, as float64."""
    band = without_nodata(band)

    def read(window):
        values, missing = band.read(window)
        return values * np.float64(scale) + offset, missing

    return Band(read, np.dtype(np.float64))


def without_nodata(band):
    """Return a band that marks pixels with its nodata value as missing."""
    if band.nodata is None:
        return band

    def read(window):
        values, missing = band.read(window)
        return values, with_nodata(values, missing, band.nodata)

    return Band(read, band.dtype)


def with_nodata(values, missing, nodata):
    """Return the mask of missing values, with pixels that equal nodata."""
    is_nodata = values == nodata
    return (is_nodata if missing is None else is_nodata | (missing != 0)).view(np.uint8)
