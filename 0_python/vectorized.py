"""The mask in NumPy: one pass of whole-image expressions per edge.

The loop over the pixels moves into NumPy's C code, which runs it once per operator. Each operator
reads and writes arrays as large as the image, so the limit is now memory bandwidth.
"""

import numpy as np

from polymask import contract


def make_mask(vertices, shape, border_value=True):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    # allocated before the coordinates are computed: a mask too large for memory fails at once
    inside = np.zeros((rows, cols), dtype=bool)
    on_vertex = np.zeros((rows, cols), dtype=bool)
    y, x = np.mgrid[:rows, :cols].astype(np.float64)  # the coordinates of every pixel
    n = len(vertices)
    for i in range(n):
        j = (i + 1) % n  # the last vertex joins the first
        x1, y1 = vertices[i]
        x2, y2 = vertices[j]
        on_vertex |= (x == x1) & (y == y1)
        if y1 == y2:  # a horizontal edge crosses no row, and would divide by 0
            continue
        crosses = (y > min(y1, y2)) & (y <= max(y1, y2)) & (x <= max(x1, x2))
        if x1 != x2:
            with np.errstate(over="ignore", invalid="ignore"):  # huge coordinates may overflow
                crosses &= x <= (y - y1) * (x2 - x1) / (y2 - y1) + x1
        inside ^= crosses
    inside[on_vertex] = border_value
    return inside.view(np.uint8)
