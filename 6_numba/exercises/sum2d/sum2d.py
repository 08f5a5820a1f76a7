"""The sum of an image in two loops that Numba compiles, and the types that Numba infers."""

import numba

# The type of `total` in `sum2d`, and of the result of the function, for an image of each of these
# types: the name of the type, as in "int32".
OF_UINT8 = "int64"
OF_INT32 = "int64"
OF_FLOAT32 = "float64"
OF_UINT64 = "int64"


@numba.njit
def sum2d(image):
    """Return the sum of an image of any type, with two dimensions. Do not change this function."""
    total = 0
    rows, cols = image.shape
    for y in range(rows):
        for x in range(cols):
            total += image[y, x]
    return total


@numba.njit
def exact2d(image):
    """Return the sum of an image of integers, signed or unsigned, exact in 64 bits."""
    total = image.dtype.type(0)
    rows, cols = image.shape
    for y in range(rows):
        for x in range(cols):
            total += image[y, x]
    return total
