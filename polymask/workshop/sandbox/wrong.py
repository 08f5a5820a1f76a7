"""Holds what a student's function returns against what is right, and says how it differs."""

import numpy as np


class Wrong(Exception):
    """An answer is wrong: a line that helps, and two masks for a picture where there are any.

    `advice` ends the line. It gives way where the student's files show a more likely cause.
    """

    def __init__(self, fact, got=None, expected=None, advice=""):
        super().__init__(f"{fact}: {advice}" if advice else fact)
        self.fact, self.got, self.expected = fact, got, expected

    @classmethod
    def of(cls, message, fact, masks=()):
        """Make one of plain values, as another process says them."""
        wrong = cls(message, *(np.array(mask) for mask in masks))
        wrong.fact = fact
        return wrong


def same_mask(got, expected, label):
    """Raise `Wrong` unless `got` is the mask, byte by byte."""
    same_kind(got, expected, label)
    if np.array_equal(got, expected):
        return
    wrong = int(np.count_nonzero(got != expected))
    message = f"{label}: {wrong} of {expected.size} pixels are wrong"
    if not np.isin(got, (0, 1)).all():
        value = got[~np.isin(got, (0, 1))][0]
        message += f"; there is a {value}, where a mask has 0 and 1: is every pixel written?"
    elif not got.any() and expected.size:
        message += "; yours is all zeros"
    elif np.array_equal(got, 1 - expected):
        message += "; yours is the inverse"
    elif is_transposed(got, expected):
        message += "; x and y are exchanged: it is mask[y, x]"
    raise Wrong(message, got, expected)


def is_transposed(got, expected):
    """Whether the common square of both shows one as the other's mirror image."""
    n = min(expected.shape)
    square = expected[:n, :n]
    return n > 2 and np.array_equal(got[:n, :n], square.T) and not np.array_equal(square, square.T)


def same_kind(got, expected, label):
    """Raise `Wrong` unless `got` is an array of the type and shape of `expected`."""
    if got is None:
        raise Wrong(f"{label}: it returned None: is there a `return`?")
    if type(got) is not np.ndarray:
        raise Wrong(f"{label}: expected a plain NumPy array, got {type(got).__name__}")
    if got.shape != expected.shape:
        hint = ""
        if got.ndim == 2 and got.shape == expected.shape[::-1]:
            hint = ": rows come first, then columns"
        raise Wrong(f"{label}: expected the shape {expected.shape}, got {got.shape}{hint}")
    if got.dtype != expected.dtype:
        raise Wrong(f"{label}: expected dtype {expected.dtype}, got {got.dtype}")


def same(got, expected, label, rtol=0.0):
    """Raise `Wrong` unless two arrays, or two numbers, agree; `rtol` allows rounding."""
    if isinstance(expected, np.ndarray):
        same_kind(got, expected, label)
        good = np.isclose(got, expected, rtol=rtol, atol=0) if rtol else got == expected
        if not good.all():
            first = tuple(int(i) for i in np.argwhere(~good)[0])
            at = first[0] if len(first) == 1 else first
            raise Wrong(
                f"{label}: {np.count_nonzero(~good)} of {good.size} elements are wrong; "
                f"the first is [{at}], expected {expected[first]}, got {got[first]}"
            )
        return
    try:
        good = abs(got - expected) <= rtol * abs(expected)
    except TypeError:
        raise Wrong(f"{label}: expected a number, got {type(got).__name__}") from None
    if not good:
        raise Wrong(f"{label}: expected {expected}, got {got}")
