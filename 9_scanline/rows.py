"""The mask with the scanline algorithm in NumPy: each edge is evaluated per row, not per pixel.

An edge that crosses row y toggles the pixels 0..X of that row, and X is computed once for all of
them. The algorithm records two toggles, at pixel 0 and at X + 1; after all edges, an exclusive or
along the row turns the toggles into the mask. Rows follow each other in memory, so the image is
treated as one long line, where the pixel after the last one of a row is the first of the next row.
"""

import math

import numpy as np

from polymask import contract


def make_mask(vertices, shape, border_value=True):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    inside = np.zeros(rows * cols + 1, dtype=bool)  # one more, for a toggle after the last pixel
    points = vertices.tolist()  # for one edge at a time, Python's floats are faster than NumPy's
    n = len(points)
    for i in range(n):
        x1, y1 = points[i]
        x2, y2 = points[(i + 1) % n]  # the last vertex joins the first
        first = max(math.floor(min(y1, y2)) + 1, 0)  # the rows with min < y <= max
        last = min(math.floor(max(y1, y2)), rows - 1)
        if first > last:
            continue
        y = np.arange(first, last + 1)
        with np.errstate(over="ignore", invalid="ignore"):  # huge coordinates may overflow
            xinters = (y - y1) * (x2 - x1) / (y2 - y1) + x1
            x = np.floor(np.minimum(xinters, min(max(x1, x2), cols - 1)))
        toggles = x >= 0  # excludes crossings left of the image, and NaN
        start = y[toggles] * cols  # pixel 0 of the row
        stop = start + x[toggles].astype(np.intp) + 1
        inside[start] ^= True  # an edge crosses a row once, so no index occurs twice
        inside[stop] ^= True
    # Each crossing toggles two pixels, the second perhaps pixel 0 of the next row. From there on,
    # they cancel, so that no row affects the next.
    np.logical_xor.accumulate(inside, out=inside)
    inside = inside[:-1].reshape(rows, cols)
    x, y = vertices.T
    on_pixel = (x == np.floor(x)) & (y == np.floor(y))
    on_pixel &= (x >= 0) & (x < cols) & (y >= 0) & (y < rows)
    inside[y[on_pixel].astype(np.intp), x[on_pixel].astype(np.intp)] = border_value
    return inside.view(np.uint8)
