"""The function from python.tuples, called with a NumPy array instead of a list of tuples.

This is slower, not faster: each `vertices[i][0]` creates a view of a row, which is an array object,
and then a NumPy scalar. A tuple only returns a reference to an existing float.
"""

import numpy as np

from ladder.python.tuples import inside_polygon
from polymask import contract


def make_mask(vertices, shape, border_value=True):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.empty((rows, cols), dtype=np.uint8)
    with np.errstate(over="ignore", invalid="ignore"):  # huge coordinates may overflow
        for y in range(rows):
            for x in range(cols):
                mask[y, x] = inside_polygon(x, y, vertices, border_value)
    return mask
