"""Which polygons, or edges of a polygon, lie near a block of an image.

Items have boxes, which are larger than what the item can change, so that a block without a near
item is constant. Columns of boxes are row and column, in the coordinates of the samples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polymask.forms.ragged import Ragged
from polymask.forms.ranges import expand, extents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

# A square extends at most one pixel from its sample. The error of a crossing is at most some units
# in the last place of the edge's largest coordinate.
PIXEL, ROUNDING = 1.0, 2.0**-48


class Boxes(NamedTuple):
    """The boxes of N items, float64 arrays of shape (N, 2)."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def spans(self, bounds: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
        """Return the range of blocks near each item: shape (N, 2 axes, first and stop)."""
        spans = np.empty((len(self.low), 2, 2), np.int64)
        for axis, ends in enumerate(bounds):
            spans[:, axis, 0] = np.searchsorted(ends[1:], self.low[:, axis])
            spans[:, axis, 1] = np.searchsorted(ends[:-1], self.high[:, axis], side="right")
        return spans


class BlockIndex(NamedTuple):
    """Items by strips of blocks, along the axis with more blocks.

    Pairs of a strip and an item near it are sorted by strip, then by item.

    Attributes
    ----------
    axis : int
        The axis that the strips divide.
    bounds : ndarray of int64
        The first sample of each strip, and the end of the last one.
    offsets : ndarray of int64
        Strip k has the pairs ``offsets[k]`` to ``offsets[k + 1] - 1``.
    items : ndarray of int64
        The item of each pair.
    low, high : ndarray of float64
        Its extent along the other axis.
    """

    axis: int
    bounds: NDArray[np.int64]
    offsets: NDArray[np.int64]
    items: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def near(self, shape: Sequence[int], offset: Sequence[int]) -> NDArray[np.int64]:
        """Return the items near a block, in ascending order."""
        strip = np.searchsorted(self.bounds[:-1], offset[self.axis], side="right") - 1
        pairs = slice(self.offsets[strip], self.offsets[strip + 1])
        start = offset[1 - self.axis]
        stop = start + shape[1 - self.axis]
        return self.items[pairs][(self.low[pairs] <= stop) & (self.high[pairs] >= start)]


def make_index(boxes: Boxes, bounds: Sequence[NDArray[np.int64]]) -> BlockIndex:
    """Build the index of boxes; `bounds` are the rows and columns where blocks begin and end."""
    axis = int(len(bounds[1]) > len(bounds[0]))
    spans = boxes.spans(bounds)[:, axis]
    items, strips = expand(spans)
    order = np.argsort(strips, kind="stable")
    items = items[order]
    counts = np.bincount(strips, minlength=len(bounds[axis]) - 1)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    low, high = (array[items, 1 - axis] for array in boxes)
    return BlockIndex(axis, bounds[axis], offsets, items, low, high)


def boxes_of_features(arrays: Ragged) -> Boxes:
    """Return the boxes of features; an empty feature is near no block."""
    first, last = arrays.rings_of(np.arange(arrays.features))
    low, high = extents(arrays.vertices, arrays.ring_offsets[first], arrays.ring_offsets[last])
    return _widen(low[:, ::-1], high[:, ::-1])


def boxes_of_edges(arrays: Ragged) -> Boxes:
    """Return the boxes of all edges."""
    ends = np.arange(1, len(arrays.vertices) + 1)
    ends[arrays.ring_offsets[1:] - 1] = arrays.ring_offsets[:-1]
    starts, ends = arrays.vertices[:, ::-1], arrays.vertices[ends, ::-1]
    return _widen(np.minimum(starts, ends), np.maximum(starts, ends))


def _widen(low, high):
    far = np.maximum(np.abs(low), np.abs(high)).max(axis=1, keepdims=True)
    margin = PIXEL + ROUNDING * np.where(np.isfinite(far), far, 0)
    return Boxes(low - margin, high + margin)
