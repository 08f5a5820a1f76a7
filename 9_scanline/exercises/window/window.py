"""A window of a large image: its part of the mask, by the scanline algorithm of `rows.py`."""

import math

import numpy as np


def make_mask(vertices, shape, corner):
    """Return the mask of a window: its pixel (y, x) is pixel (y + row, x + col) of the large image.

    `vertices` are (x, y) in the large image, `shape` is that of the window, and `corner` is
    (row, col). Vertices on pixels have no special value.
    """
    (rows, cols), (row, col) = shape, corner
    inside = np.zeros(rows * cols + 1, dtype=bool)  # one more, for a toggle after the last pixel
    for (x1, y1), (x2, y2) in zip(vertices, [*vertices[1:], vertices[0]], strict=True):
        first = max(math.floor(min(y1, y2)) + 1, row)  # the rows with min < y <= max
        last = min(math.floor(max(y1, y2)), row + rows - 1)
        if first > last:
            continue
        y = np.arange(first, last + 1)
        xinters = (y - y1) * (x2 - x1) / (y2 - y1) + x1
        x = np.floor(np.minimum(xinters, min(max(x1, x2), col + cols - 1)))
        toggles = x >= col  # excludes crossings left of the window
        start = (y[toggles] - row) * cols
        stop = start + x[toggles].astype(np.intp) - col + 1
        inside[start] ^= True
        inside[stop] ^= True
    np.logical_xor.accumulate(inside, out=inside)
    return inside[:-1].reshape(shape).view(np.uint8)
