"""Two operations on one row, and generalized ufuncs that NumPy calls for all rows.

A layout such as "(n)->(n)" describes one call: here a row of n numbers in, a row of n numbers out.
NumPy loops over all other dimensions of the arguments.
"""

import numba


def fill_row(toggles, mask):
    """Compute a row of a mask from its toggles: pixel i is the parity of toggles 0 to i."""
    parity = 0
    for i in range(toggles.size):
        parity ^= toggles[i]
        mask[i] = parity


def area_of_row(mask, area):
    """Count the set pixels in a row. A result without dimensions is written as area[0]."""
    area[0] = 0
    for i in range(mask.size):
        area[0] += mask[i]


# Masks from toggles, both uint8, of any number of dimensions, with rows along the last; one thread
fill = numba.guvectorize(["void(uint8[:], uint8[:])"], "(n)->(n)")(fill_row)

# The area of each row in masks, int64, with one dimension less than the masks; several threads
areas = numba.guvectorize(["void(uint8[:], int64[:])"], "(n)->()", target="parallel")(area_of_row)
