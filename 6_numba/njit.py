"""The mask by Numba: the function of python.tuples, compiled as it is first called.

Numba reads the function's bytecode, infers the types of all its variables from the arguments, and
compiles it for this processor. The rule is not a letter changed: `vertices[i][0]`, which made two
objects for each number in python.scalars, becomes one load.
"""

import numba
import numpy as np

from polymask import contract
from polymask.python.tuples import inside_polygon

# Without "numpy" each division first asks whether the divisor is 0, to raise ZeroDivisionError.
rule = numba.njit(error_model="numpy")(inside_polygon)


@numba.njit(error_model="numpy", nogil=True)
def fill(mask, vertices, border_value):
    """Fill the mask, a pixel after the other."""
    for y in range(mask.shape[0]):
        for x in range(mask.shape[1]):
            mask[y, x] = rule(x, y, vertices, border_value)


def make_mask(vertices, shape, border_value=True):
    """Mask of a polygon; see `polymask.python.tuples.make_mask`."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.empty((rows, cols), dtype=np.uint8)
    fill(mask, vertices, border_value)
    return mask
