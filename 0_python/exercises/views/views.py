"""Views and copies: predictions, and two functions that confuse them."""

import numpy as np

# For mask = np.zeros((6, 9), np.uint8): does the result share the memory of `mask`?
SHARES = {
    "mask[2:5, 1:4]": True,
    "mask[[2, 3, 4]]": False,
    "mask.T": True,
    "mask.ravel()": True,
    "mask.T.ravel()": False,
}


def largest(draws, shape):
    """Return the mask with the most pixels; each of `draws` draws one into an array."""
    mask, best, most = np.empty(shape, np.uint8), None, -1
    for draw in draws:
        draw(mask)
        if mask.sum() > most:
            best, most = mask.copy(), mask.sum()
    return best


def erase(mask, rows, cols):
    """Set the pixels of a mask that are in one of the rows and in one of the columns to 0."""
    mask[np.ix_(rows, cols)] = 0
