"""Hands in models whose crossover is known, then two rungs, and measures where they meet."""

import math

from polymask.workshop.sandbox.wrong import Wrong, same

from .clock import meeting, stopwatch
from .models import Model, check_asked, check_models

SMALL, LARGE = 32**2, 256**2  # pixels of the two measurements
BEFORE, AFTER = "cclass.polygon", "scanline.rows"


def check(answer, random):
    """Raise `Wrong` unless the prediction is right for models, and for rungs as measured here."""
    for _ in range(5):
        check_models(answer, random)
    lines, seen = (side(pixels) for pixels in predicted(answer, random.randrange(12, 40)))
    if lines is None or seen is None:
        return (
            f"right; on this machine, now, {AFTER} overtakes {BEFORE} at {seen or 'no size'} by "
            f"the clock, and at {lines or 'no size'} by the lines"
        )
    return f"seen: {AFTER} overtakes {BEFORE} at {seen} pixels, predicted were {lines}"


def side(pixels):
    """Return an image of so many pixels in words, or None."""
    return pixels and f"{math.sqrt(pixels):.0f} x {math.sqrt(pixels):.0f}"


def predicted(answer, n):
    """Return pixels predicted and pixels seen for two rungs, each None where they do not meet.

    The rungs are measured here. Whether a line through two points is a good model on this machine,
    now, is no question to the student: what is held against the prediction is the line's.
    """
    watches = [stopwatch(key, n) for key in (BEFORE, AFTER)]
    taken = [[time_of(pixels) for pixels in (SMALL, LARGE)] for time_of in watches]
    pixels = [(slow - fast) / (LARGE - SMALL) for fast, slow in taken]
    calls = [fast - SMALL * pixel for (fast, _), pixel in zip(taken, pixels, strict=True)]
    models = [Model(*line) for line in zip(calls, pixels, strict=True)]
    right = (calls[1] - calls[0]) / (pixels[0] - pixels[1]) if pixels[0] != pixels[1] else None
    got = answer.crossover(*models, SMALL, LARGE)
    for model in models:
        check_asked(model, SMALL, LARGE)
    label = f"{BEFORE} and {AFTER}, {n} vertices, as measured here"
    if right is None or right <= 0:
        if got is not None:
            raise Wrong(f"{label}: their lines do not meet: expected None, got {got}")
        return None, meeting(*watches)
    if got is None:
        raise Wrong(f"{label}: their lines meet at {right:.0f} pixels: crossover returned None")
    same(got, right, f"{label}: the pixels where they meet", rtol=1e-5)
    return right, meeting(*watches)
