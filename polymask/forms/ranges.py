"""Ranges of numbers: all numbers in them, and the extremes of the values at these positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def expand(spans: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return each number within ranges (first, stop), after the position of its range."""
    lengths = np.maximum(spans[:, 1] - spans[:, 0], 0)
    ends = np.cumsum(lengths)
    items = np.repeat(np.arange(len(spans)), lengths)
    return items, np.arange(len(items)) + (spans[:, 0] - (ends - lengths))[items]


def extents(
    values: NDArray[np.float64], starts: NDArray[np.int64], stops: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the smallest and the largest values of consecutive ranges: inf and -inf if empty."""
    low = np.full((len(starts), *values.shape[1:]), np.inf)
    high, filled = -low, starts < stops
    if filled.any():
        values = values[: stops.max()]
        low[filled] = np.minimum.reduceat(values, starts[filled])
        high[filled] = np.maximum.reduceat(values, starts[filled])
    return low, high
