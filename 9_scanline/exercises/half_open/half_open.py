"""The mask by toggles, for vertices that lie on a row: two edges meet there, and both reach it."""

import math

import numpy as np

# A vertex lies on a row. How many edges toggle the row there? The neighbours of the vertex are
# above and below the row ("through"), both above it, or both below it. Rows are counted downwards,
# so y is smaller above. `closed` is the number if an edge toggles all rows with min <= y <= max,
# and `half_open` if it toggles only those with min < y <= max.
closed = {"through": 2, "both above": 2, "both below": 2}
half_open = {"through": 1, "both above": 2, "both below": 0}


def rows_of(y1, y2):
    """Return the first and the last row that an edge from y1 to y2 toggles; y1 != y2."""
    return math.floor(min(y1, y2)) + 1, math.floor(max(y1, y2))


def make_mask(vertices, shape):
    """Return the mask of a polygon without vertices on pixels. Do not change this function."""
    rows, cols = shape
    toggles = np.zeros((rows, cols + 1), dtype=np.uint8)
    for (x1, y1), (x2, y2) in zip(vertices, [*vertices[1:], vertices[0]], strict=True):
        if y1 == y2:
            continue  # a horizontal edge toggles nothing
        first, last = rows_of(y1, y2)
        for y in range(max(first, 0), min(last, rows - 1) + 1):
            x = math.floor((y - y1) * (x2 - x1) / (y2 - y1) + x1)
            if x >= 0:
                toggles[y, 0] ^= 1
                toggles[y, min(x + 1, cols)] ^= 1
    return np.bitwise_xor.accumulate(toggles, axis=1)[:, :cols]
