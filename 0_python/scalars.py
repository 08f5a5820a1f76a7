"""The same function, handed a NumPy array instead of a list of tuples.

Slower, not faster: each `vertices[i][0]` makes a view of a row, an array object, and then boxes a
NumPy scalar, where the tuple only handed out a float that was there already.
"""

import numpy as np

from polymask import contract
from polymask.python.tuples import inside_polygon


def make_mask(vertices, shape, border_value=True):
    """Mask of a polygon; see `polymask.python.tuples.make_mask`."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.empty((rows, cols), dtype=np.uint8)
    with np.errstate(over="ignore", invalid="ignore"):  # of which NumPy's scalars would warn
        for y in range(rows):
            for x in range(cols):
                mask[y, x] = inside_polygon(x, y, vertices, border_value)
    return mask
