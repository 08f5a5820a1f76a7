"""Where an array's numbers lie among bytes, such as a device's, of whatever type they are there."""

import numpy as np

TYPES = "?bBhHiIlLfd"  # in which numbers may lie on a device


def places(held, array):
    """Return where bytes hold an array's numbers, one behind the other: of each, offset and type.

    Parameters
    ----------
    held : bytes
    array : ndarray

    Returns
    -------
    list of (int, numpy.dtype)
    """
    found = {}
    for dtype in (array.dtype, *map(np.dtype, TYPES)):
        as_type = array.astype(dtype)
        if not np.array_equal(as_type, array):
            continue
        text, offset = as_type.tobytes(), -1
        while text and (offset := held.find(text, offset + 1)) >= 0:
            found.setdefault(offset, dtype)  # bytes may be the same in several types
    return list(found.items())


def holds(held, array):
    """Whether some bytes hold an array's numbers one behind the other, of whatever type.

    Of numbers that are 0 and 1 the lowest bit may be what counts.
    """
    if places(held, array):
        return True
    if array.dtype != np.uint8:
        return False
    for dtype in map(np.dtype, "bBhHiIlL"):
        if len(held) >= dtype.itemsize * array.size:
            numbers = np.frombuffer(held, dtype, array.size)
            if np.array_equal(numbers & 1, array.ravel()):
                return True
    return False


def exchanged(held, pairs):
    """Return bytes in which other numbers lie where an array's lay, of the same types.

    Parameters
    ----------
    held : bytes
    pairs : sequence of (ndarray, ndarray)
        What is looked for, and what is put there instead, of one shape each.

    Returns
    -------
    bytes
    """
    made = bytearray(held)
    for old, new in pairs:
        for offset, dtype in places(held, old):
            text = new.astype(dtype).tobytes()
            made[offset : offset + len(text)] = text
    return bytes(made)
