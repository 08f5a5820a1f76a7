"""The mask with Numba: the function from python.tuples, compiled when it is first called.

Numba reads the function's bytecode, infers the types of all its variables from the arguments, and
compiles it for this processor. The rule is unchanged: `vertices[i][0]`, which created two objects
for each number in python.scalars, becomes one load.
"""

import numba
import numpy as np

from ladder.python.tuples import inside_polygon
from polymask import contract

# Python's error model would compare each divisor with 0 first, to raise ZeroDivisionError.
rule = numba.njit(error_model="numpy")(inside_polygon)


@numba.njit(error_model="numpy", nogil=True)
def fill(mask, vertices, border_value):
    """Fill the mask pixel by pixel."""
    for y in range(mask.shape[0]):
        for x in range(mask.shape[1]):
            mask[y, x] = rule(x, y, vertices, border_value)


def make_mask(vertices, shape, border_value=True):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.empty((rows, cols), dtype=np.uint8)
    fill(mask, vertices, border_value)
    return mask
