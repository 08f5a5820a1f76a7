"""The sum of an image by two loops that Numba compiles, and the types that it infers for them."""

import numba

# What Numba makes of `total` in `sum2d`, and so what the function returns, for an image of each of
# these types: the type's name, as in "int32".
OF_UINT8 = "int64"
OF_INT32 = "int64"
OF_FLOAT32 = "float64"
OF_UINT64 = "int64"


@numba.njit
def sum2d(image):
    """The sum of an image of any type, two dimensions: this function stays as it is."""
    total = 0
    rows, cols = image.shape
    for y in range(rows):
        for x in range(cols):
            total += image[y, x]
    return total


@numba.njit
def exact2d(image):
    """The sum of an image of whole numbers, signed or not, which is exact in 64 bits."""
    total = image.dtype.type(0)
    rows, cols = image.shape
    for y in range(rows):
        for x in range(cols):
            total += image[y, x]
    return total
