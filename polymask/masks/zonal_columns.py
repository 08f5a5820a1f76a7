"""Statistics by their names, which are those of exactextract, and the columns of their results."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from polymask.common.error_text import quote

BASIC = "count", "sum", "mean", "min", "max"  # also without the values in memory
SPREAD = "variance", "stdev", "coefficient_of_variation"
CLASSES = "variety", "majority", "minority"
SHARES = "unique", "unique_counts", "frac"  # an array per polygon
NAMES = *BASIC, "median", *SPREAD, *CLASSES, *SHARES
QUANTILE = re.compile(r"quantile\(q=([^)]*)\)")


class Parts(NamedTuple):
    """What to compute: the fields of the C++ struct SummaryParts."""

    quantiles: tuple[float, ...] = ()
    median: bool = False
    variance: bool = False
    classes: bool = False
    shares: bool = False
    weighted: bool = False


class Summaries(NamedTuple):
    """The summaries of F features: arrays of shape (F,), and those that have another shape.

    Attributes
    ----------
    pixels : ndarray with the fields count, sum, min, max
        Without weights.
    weight, total : ndarray of float64
        If weighted, the sum of the weights, and of weight times value.
    variance, median : ndarray of float64
    variety : ndarray of int64
    majority, minority : ndarray of the image's dtype
    quantiles : ndarray, shape (F, Q)
    ends : ndarray of int64, or None
        Feature f has the distinct ``values[ends[f - 1] : ends[f]]``, from 0 for the first, with
        their numbers or weights in `shares`.
    values, shares : ndarray, or None
    """

    pixels: np.ndarray
    weight: np.ndarray
    total: np.ndarray
    variance: np.ndarray
    median: np.ndarray
    variety: np.ndarray
    majority: np.ndarray
    minority: np.ndarray
    quantiles: np.ndarray
    ends: np.ndarray | None = None
    values: np.ndarray | None = None
    shares: np.ndarray | None = None


class Request(NamedTuple):
    """Statistics to compute: the name of each column, and the name or the quantile behind it."""

    columns: dict[str, str | float]
    weighted: bool = False

    @property
    def parts(self):
        """The parts of a summary that the columns need."""
        names = self.columns.values()
        return Parts(
            quantiles=tuple(name for name in names if isinstance(name, float)),
            median="median" in names,
            variance=any(name in SPREAD for name in names),
            classes=any(name in CLASSES for name in names),
            shares=any(name in SHARES for name in names),
            weighted=self.weighted,
        )

    @property
    def needs_sums(self):
        """Whether a sum that does not fit 64 bits would make a column wrong."""
        wanted = ("sum", "mean", "coefficient_of_variation")
        return not self.weighted and any(name in wanted for name in self.columns.values())


def request(statistics, weights=None):
    """Check the names of statistics and of weights; return a Request."""
    if weights is not None and weights != "coverage":
        raise ValueError(f'weights must be None or "coverage", got {quote(weights)}')
    if isinstance(statistics, str):
        raise TypeError(f"statistics must be a list of names: [{quote(statistics)}]")
    columns = {}
    for name in statistics:
        column, wanted = _column(name)
        if column in columns:
            raise ValueError(f"statistics: {quote(name)} occurs twice")
        columns[column] = wanted
    if not columns:
        raise ValueError("statistics: the list is empty")
    return Request(columns, weights is not None)


def column_name(name):
    """Return the name of a statistic's column: quantile_90 for quantile(q=0.9)."""
    return _column(name)[0]


def _column(name):
    if name in NAMES:
        return name, name
    match = QUANTILE.fullmatch(name) if isinstance(name, str) else None
    if match is None:
        raise ValueError(
            f"statistics: there is no {quote(name)}, only {', '.join(NAMES)} and quantile(q=0.9)"
        )
    try:
        q = float(match[1])
    except ValueError:
        q = np.nan
    if not 0 <= q <= 1:
        raise ValueError(f"statistics: q of {quote(name)} must be a number from 0 to 1")
    return f"quantile_{100 * q:.10g}", q


def as_columns(wanted, summaries):
    """Return the columns of a request as a dict: arrays, or lists of an array per feature."""
    quantiles = iter(np.ascontiguousarray(summaries.quantiles.T))
    return {
        column: next(quantiles) if isinstance(name, float) else _values(name, wanted, summaries)
        for column, name in wanted.columns.items()
    }


def _values(name, wanted, summaries):
    pixels = summaries.pixels
    if name in SHARES:
        return _shares(name, wanted.weighted, summaries)
    if name == "count":
        return summaries.weight if wanted.weighted else np.ascontiguousarray(pixels["count"])
    if name == "sum":
        return summaries.total if wanted.weighted else np.ascontiguousarray(pixels["sum"])
    if name in ("variance", "median", "variety"):
        return getattr(summaries, name)
    if name in ("min", "max"):
        return or_missing(pixels[name], pixels["count"])
    if name in ("majority", "minority"):
        return or_missing(getattr(summaries, name), pixels["count"])
    if name == "stdev":
        return np.sqrt(summaries.variance)
    mean = mean_of(summaries.total, summaries.weight) if wanted.weighted else mean_of_pixels(pixels)
    if name == "mean":
        return mean
    with np.errstate(all="ignore"):
        return np.sqrt(summaries.variance) / mean


def _shares(name, is_weighted, summaries):
    """Return an array per feature."""
    if not len(summaries.ends):
        return []
    if name == "unique":
        return np.split(summaries.values, summaries.ends[:-1])
    shares = np.split(summaries.shares, summaries.ends[:-1])
    if name == "frac":
        return [part / part.sum() for part in shares]
    return shares if is_weighted else [part.astype(np.int64) for part in shares]


def or_missing(values, count):
    """Return floats as float64, NaN where there is none, and integers, masked where there is none.

    As floats, integers beyond 2**53 would become other ones. The data beneath the mask are 0.
    """
    is_empty = count == 0
    if values.dtype.kind == "f":
        return np.where(is_empty, np.nan, values.astype(np.float64))
    if not is_empty.any():
        return values
    return np.ma.masked_array(np.where(is_empty, values.dtype.type(0), values), is_empty)


def mean_of(total, count):
    """Divide; the mean of nothing is NaN."""
    mean = np.full(len(total), np.nan)
    with np.errstate(all="ignore"):  # the mean of tiny values may underflow
        np.divide(total, count, out=mean, where=count != 0)
    return mean


def mean_of_pixels(pixels):
    """Return the mean; that of integers never leaves their range by rounding."""
    mean = mean_of(pixels["sum"], pixels["count"])
    if pixels["min"].dtype.kind in "iu":
        low, high = (pixels[name].astype(float) for name in ("min", "max"))
        np.clip(mean, low, high, out=mean)
    return mean
