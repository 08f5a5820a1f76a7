"""Compare random boxes with rectangles of an array."""

import numpy as np

from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import advising, same_mask


def timed(random, size=256):
    """Return the arguments for a random box, and its mask."""
    left, right, top, bottom = (random.randrange(i, i + size // 3) for i in (1, size // 2) * 2)
    mask = np.zeros((size, size), bool)
    mask[top:bottom, left:right] = True
    return (left, right, top, bottom, size), mask


def check(answer, random):
    """Raise `CheckFailed` for the first wrong box."""
    for size in (12, 13, 14):
        arguments, mask = timed(random, size)
        child.step(f"computing box_mask{arguments}")
        with advising("which of the four comparisons decides about these pixels?"):
            same_mask(answer.box_mask(*arguments), mask, f"box_mask{arguments}")
