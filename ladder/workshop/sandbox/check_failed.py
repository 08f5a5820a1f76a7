"""Comparisons of a student's result with the right one, which describe the difference."""

import contextlib
from numbers import Integral, Number

import numpy as np

from ladder.workshop.sandbox import likely_causes


class CheckFailed(Exception):
    """A wrong answer: a line that helps, and two masks if a picture can show them.

    `advice` ends the line. It is replaced if the student's files show a more likely cause.
    """

    def __init__(self, fact, got=None, expected=None, advice=""):
        super().__init__(f"{fact}: {advice}" if advice else fact)
        self.fact, self.got, self.expected = fact, got, expected
        self.vertices = None  # the polygon of the masks, as pairs x, y

    @classmethod
    def of(cls, message, fact, masks=(), vertices=None):
        """Create an exception from the plain values that another process sent."""
        failure = cls(message, *(np.array(mask) for mask in masks))
        failure.fact, failure.vertices = fact, vertices
        return failure


@contextlib.contextmanager
def advising(advice):
    """End the message of a `CheckFailed` from this block with `advice`."""
    try:
        yield
    except CheckFailed as error:
        raise CheckFailed(error.fact, error.got, error.expected, advice) from None


def check_predicted(name, value, expected, hint):
    """Raise `CheckFailed` unless a student's prediction is right; `hint` tells how to find it."""
    if value is None:
        raise CheckFailed(f"{name} is still None: predict it first")
    if value != expected:
        raise CheckFailed(f"{name}: it is not {value}: {hint}")


def same_mask(got, expected, label):
    """Raise `CheckFailed` unless `got` is the mask, byte by byte."""
    same_kind(got, expected, label)
    if np.array_equal(got, expected):
        return
    n_wrong = int(np.count_nonzero(got != expected))
    message = f"{label}: {n_wrong} of {expected.size} pixels are wrong"
    raise CheckFailed(f"{message}{likely_causes.of_mask(got, expected)}", got, expected)


def same_kind(got, expected, label):
    """Raise `CheckFailed` unless `got` is an array of the type and shape of `expected`."""
    if got is None:
        raise CheckFailed(f"{label}: it returned None: is there a `return`?")
    if type(got) is not np.ndarray:
        is_remote = type(got).__module__.partition(".")[0] in ("pyopencl", "ladder", "dpctl")
        hint = ", which is still on the device" if is_remote else ""
        raise CheckFailed(f"{label}: expected a plain NumPy array, got {type(got).__name__}{hint}")
    if got.shape != expected.shape:
        hint = ""
        if got.ndim == 2 and got.shape == expected.shape[::-1]:
            hint = ": rows come first, then columns"
        elif got.ndim == 2 and got.shape[1] in (4 * expected.shape[1], 8 * expected.shape[1]):
            times = got.shape[1] // expected.shape[1]
            hint = f": was `.view(np.uint8)` applied to elements of {times} bytes?"
        raise CheckFailed(f"{label}: expected the shape {expected.shape}, got {got.shape}{hint}")
    if got.dtype != expected.dtype:
        raise CheckFailed(f"{label}: expected dtype {expected.dtype}, got {got.dtype}")


def same(got, expected, label, rtol=0.0):
    """Raise `CheckFailed` unless two arrays, or two numbers, agree; `rtol` allows rounding."""
    if isinstance(expected, np.ndarray):
        same_kind(got, expected, label)
        good = np.isclose(got, expected, rtol=rtol, atol=0) if rtol else got == expected
        if not good.all():
            first = tuple(int(i) for i in np.argwhere(~good)[0])
            at = first[0] if len(first) == 1 else first
            raise CheckFailed(
                f"{label}: {np.count_nonzero(~good)} of {good.size} elements are wrong; "
                f"the first is [{at}], expected {expected[first]}, got {got[first]}"
                f"{likely_causes.of_values(got, expected)}"
            )
        return
    number_type, name = (
        (Integral, "whole number") if isinstance(expected, int) else (Number, "number")
    )
    if not isinstance(got, number_type):
        raise CheckFailed(f"{label}: expected a {name}, got {type(got).__name__}")
    number = got.item() if isinstance(got, np.generic) else got
    if not abs(number - expected) <= rtol * abs(expected):
        cause = likely_causes.of_values(number, expected)
        raise CheckFailed(f"{label}: expected {expected}, got {got}{cause}")
