"""Which windows of a large image to read for many polygons, and in which order.

Windows go from the top down in strips of whole block rows of the file. A window has all columns
of its polygons, so that their statistics equal those of the whole image to the bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from polymask.forms.ranges import extents

MOST_BYTES = 64 << 20  # of a strip, unless one row of blocks is larger
FAR = 2.0**40  # beyond, the rule may set pixels at the left of a polygon: see box_of in window.hpp


class Window(NamedTuple):
    """Rows ``top`` to ``bottom`` and columns ``left`` to ``right`` of an image, exclusive."""

    top: int
    bottom: int
    left: int
    right: int


class Step(NamedTuple):
    """A window, the features in it, and whether it is the last window of each."""

    window: Window
    features: np.ndarray
    is_last: np.ndarray


def crop(values, missing, window):
    """Return the part of an image, and of the mask of missing values, in a window."""
    top, bottom, left, right = window
    parts = (None if a is None else a[top:bottom, left:right] for a in (values, missing))
    return tuple(None if part is None else np.ascontiguousarray(part) for part in parts)


def whole(shape, features, at_once):
    """Return the steps of an image in memory: all of it, for some features at a time."""
    window = Window(0, shape[0], 0, shape[1])
    for first in range(0, features, at_once):
        numbers = np.arange(first, min(first + at_once, features))
        yield Step(window, numbers, np.ones(len(numbers), np.uint8))


def plan(boxes, shape, block, row_bytes):
    """Return the steps for features in an image that is read in windows.

    Parameters
    ----------
    boxes : ndarray, shape (F, 4)
        Top, bottom, left and right of each feature in the image; empty if bottom is not below top.
    shape, block : tuple of int
        (rows, cols) of the image and of its blocks.
    row_bytes : int
        The bytes of a row of the image, of all bands.

    Yields
    ------
    Step
    """
    height = strip_height(shape, block[0], row_bytes)
    numbers = np.flatnonzero((boxes[:, 1] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 2]))
    numbers = numbers[np.argsort(boxes[numbers, 0], kind="stable")]
    strips = boxes[numbers, 0] // height
    active = numbers[:0]
    for strip in range(-(-shape[0] // height)):
        first, last = np.searchsorted(strips, [strip, strip + 1])
        active = np.concatenate([active, numbers[first:last]])
        if len(active):
            end = min((strip + 1) * height, shape[0])
            yield from _windows(boxes, active, strip * height, end, block[1], shape[1])
            active = active[boxes[active, 1] > end]


def strip_height(shape, block_rows, row_bytes):
    """Return the rows of a strip: whole blocks, if a row of them is not much too large."""
    most = max(MOST_BYTES // max(row_bytes, 1), 1)
    if most >= block_rows or block_rows < 4 * most:
        most = max(most // block_rows, 1) * block_rows
    return min(most, max(shape[0], 1))


def _windows(boxes, active, top, bottom, block_cols, cols):
    """Return the steps of a strip: boxes that overlap, in whole blocks, are joined."""
    left = boxes[active, 2] // block_cols * block_cols
    right = np.minimum(-(-boxes[active, 3] // block_cols) * block_cols, cols)
    order = np.argsort(left, kind="stable")
    active, left, right = active[order], left[order], np.maximum.accumulate(right[order])
    starts = np.flatnonzero(np.append(True, left[1:] >= right[:-1]))
    for first, end in zip(starts, [*starts[1:], len(active)], strict=True):
        features = active[first:end]
        rows = boxes[features, :2]
        window = Window(
            int(max(rows[:, 0].min(), top)),
            int(min(rows[:, 1].max(), bottom)),
            int(left[first]),
            int(right[end - 1]),
        )
        yield Step(window, features, (rows[:, 1] <= bottom).astype(np.uint8))


def boxes_of(arrays, shape, offset):
    """Return a box around the pixels of each feature, up to two pixels wider, as `plan` takes it.

    `arrays` is a Ragged, and `offset` the position of the image.
    """
    first, last = arrays.rings_of(np.arange(arrays.features))
    low, high = extents(arrays.vertices, arrays.ring_offsets[first], arrays.ring_offsets[last])
    is_far = (np.maximum(-low, high) > FAR).any(axis=1)
    low, high = low - offset[::-1], high - offset[::-1]
    low[is_far, 0] = 0
    boxes = np.empty((arrays.features, 4), np.int64)
    for axis, size in ((0, shape[1]), (1, shape[0])):
        column = 2 if axis == 0 else 0
        ends = np.floor(low[:, axis]) - 2, np.floor(high[:, axis]) + 3
        boxes[:, column : column + 2] = np.clip(ends, 0, size).T
    return boxes
