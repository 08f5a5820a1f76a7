"""Hands in models whose crossover is known, then two rungs, and measures where they meet."""

import math
import time

import numpy as np

from polymask.ladder import registry, workload
from polymask.workshop.sandbox.wrong import Wrong, same

SMALL, LARGE = 32**2, 256**2  # pixels of the two measurements
BEFORE, AFTER = "cclass.polygon", "scanline.rows"
SIDES = [round(16 * 2 ** (k / 2)) for k in range(11)]  # 16 ... 512
REPEATS = 9
MOST_NAMED = 5


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


def meeting(one, other):
    """Return the pixels where two rungs are seen to take the same time, or None."""
    ahead = [math.log(one(side**2) / other(side**2)) for side in SIDES]
    for k in range(1, len(SIDES)):
        if ahead[k - 1] < 0 <= ahead[k]:
            share = ahead[k - 1] / (ahead[k - 1] - ahead[k])
            return SIDES[k - 1] ** (2 * (1 - share)) * SIDES[k] ** (2 * share)
    return None


def stopwatch(key, n):
    """Return a function: pixels to seconds, the shortest of several calls."""
    make_mask = registry.get(key).load()

    def time_of(pixels):
        side = round(math.sqrt(pixels))
        vertices, taken = workload.polygon(n, (side, side)), []
        for _ in range(REPEATS):
            begun = time.perf_counter()
            make_mask(vertices, (side, side))
            taken.append(time.perf_counter() - begun)
        return min(taken)

    return time_of


class Model:
    """A rung that takes what a line says, and counts how often it was asked."""

    def __init__(self, call, pixel):
        self.call, self.pixel, self.asked = call, pixel, []

    def __call__(self, pixels):
        """Return seconds."""
        self.asked.append(float(pixels))
        return self.call + self.pixel * pixels


def check_models(answer, random):
    """Hold line and crossover against models that are lines."""
    small, large = random.randrange(1, 500), random.randrange(1000, 9999)
    call, pixel = random.uniform(1e-6, 1e-5), random.uniform(1e-7, 1e-6)
    numbers = answer.line(Model(call, pixel), small, large)
    if not isinstance(numbers, tuple | list | np.ndarray) or len(numbers) != 2:
        raise Wrong(f"line returns two numbers, got {numbers}")
    same(numbers[0], call, "line: the seconds of a call", rtol=1e-6)
    same(numbers[1], pixel, "line: the seconds of a pixel", rtol=1e-6)
    at = random.uniform(10, 1e6)
    lines = (call, pixel), (call + 0.7 * pixel * at, 0.3 * pixel)
    for one, other in ((Model(*a), Model(*b)) for a, b in (lines, lines[::-1])):
        got = answer.crossover(one, other, small, large)
        if got is None:
            raise Wrong(f"two models that meet at {at:.0f} pixels: crossover returned None")
        same(got, at, "two models: the pixels where they meet", rtol=1e-5)
        for model in (one, other):
            check_asked(model, small, large)
    call, pixel = 2.0**-17, 2.0**-20  # no sum is rounded, so parallel lines are just that
    for label, other in (
        ("that are parallel", Model(2 * call, pixel)),
        ("of which one is always faster", Model(2 * call, 2 * pixel)),
    ):
        got = answer.crossover(Model(call, pixel), other, 256, 2048)
        if got is not None:
            raise Wrong(f"two models {label}: expected None, got {got}")


def check_asked(model, small, large):
    """Raise `Wrong` unless a rung was measured twice, where it should be."""
    if sorted(model.asked) != [small, large]:
        asked = ", ".join(f"{pixels:.0f}" for pixels in model.asked[:MOST_NAMED]) or "none"
        asked += ", ..." if len(model.asked) > MOST_NAMED else ""
        raise Wrong(
            "a prediction needs two measurements of each rung, at `small` and at `large`: of "
            f"{small} and {large} pixels, and those that were asked for are of {asked}"
        )
