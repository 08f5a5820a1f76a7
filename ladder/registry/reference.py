"""The reference for every rung: the rule of the contract, by pixels and by rows.

Both functions are written from the contract and share no code with any rung. `mask` computes it
from the crossings of each row, fast enough to check large images. `by_rule` is the rule itself,
pixel by pixel, and is slow. The tests compare them with each other.
"""

import math

import numpy as np

from polymask import contract


def by_rule(vertices, shape, border_value=True):
    """Return the mask, pixel by pixel and edge by edge; a `border_value` of None is ignored."""
    vertices, shape, _ = contract.check(vertices, shape)
    points = [(x, y) for x, y in vertices.tolist()]
    edges = list(zip(points, points[1:] + points[:1], strict=True))
    mask = np.zeros(shape, np.uint8)
    for y, x in np.ndindex(shape):
        if (x, y) in points and border_value is not None:
            mask[y, x] = bool(border_value)
        else:
            mask[y, x] = sum(toggles(x, y, p1, p2) for p1, p2 in edges) % 2
    return mask


def toggles(x, y, p1, p2):
    """Return whether the ray from (x, y) crosses the edge p1 -> p2."""
    (x1, y1), (x2, y2) = p1, p2
    if y1 == y2 or not min(y1, y2) < y <= max(y1, y2) or x > max(x1, x2):
        return False
    return x1 == x2 or x <= (y - y1) * (x2 - x1) / (y2 - y1) + x1


def mask(vertices, shape, border_value=True):
    """Return the mask from the crossings of each row: an edge toggles the pixels 0..X.

    ``X = floor(min(xinters, max(x1, x2)))``. The toggles at the pixels 0 and X + 1, accumulated by
    exclusive or along the row, give the mask.
    """
    vertices, (rows, cols), _ = contract.check(vertices, shape)
    mask = np.zeros((rows, cols + 1), np.uint8)
    for (x1, y1), (x2, y2) in zip(vertices, np.roll(vertices, -1, axis=0), strict=True):
        # rows with min < y <= max, clamped before conversion to integers
        first = int(np.clip(np.floor(min(y1, y2)) + 1, 0, rows))
        stop = int(np.clip(np.floor(max(y1, y2)) + 1, 0, rows))
        y = np.arange(first, stop)
        if y1 == y2 or len(y) == 0:
            continue
        with np.errstate(over="ignore", invalid="ignore"):  # huge coordinates follow IEEE
            xinters = (y - y1) * (x2 - x1) / (y2 - y1) + x1 if x1 != x2 else np.full(len(y), x1)
        y, xinters = y[~np.isnan(xinters)], xinters[~np.isnan(xinters)]
        column = np.clip(np.floor(np.minimum(xinters, max(x1, x2))), -1, cols - 1).astype(int)
        mask[y, 0] ^= 1
        mask[y, column + 1] ^= 1
    np.bitwise_xor.accumulate(mask, axis=1, out=mask)
    mask = np.ascontiguousarray(mask[:, :cols])
    for x, y in vertices if border_value is not None else ():
        if x == math.floor(x) and y == math.floor(y) and 0 <= x < cols and 0 <= y < rows:
            mask[int(y), int(x)] = bool(border_value)
    return mask
