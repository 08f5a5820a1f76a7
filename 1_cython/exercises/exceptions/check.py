"""Call distance with arguments that must raise, and examine the call that must not be tested."""

import math

from ladder.workshop.sandbox.check_failed import CheckFailed, same
from ladder.workshop.sandbox.translated import Translated

BAD = (  # the pixel, the end of the line, and the function that raises
    ((0.0, 1.0), (3, 0), "crossing"),
    ((math.nan, 1.0), (3, 4), "check_pixel"),
)


def check(answer, random):
    """Raise `CheckFailed` unless exceptions arrive, and every number is a valid result."""
    for pixel, end, function in BAD:
        try:
            got = answer.distance(*pixel, (0, 0), end)
        except ValueError:
            continue
        fact = f"{function} raised ValueError, but distance returned {got}"
        raise CheckFailed(f"{fact}: `noexcept` prints an exception and goes on")
    for right in (-1.0, 0.0, -2.0, random.uniform(-9, 9)):
        label = f"a line that crosses the row at {right}"
        try:
            same(answer.distance(0, 1, (right, 0), (right, 2)), right, label)
        except SystemError:
            fact = f"{label}: SystemError: by `except {right:.0f}`, this result means an exception"
            raise CheckFailed(f"{fact}. Which declaration makes the caller ask?") from None
    calls = [line for f in Translated().reached("distance") for line in f.calls("difference")]
    if any("PyErr_Occurred" in line or "__Pyx_ErrOccurred" in line for line in calls):
        raise CheckFailed("difference raises nothing: keep its `noexcept`, which saves a test")
