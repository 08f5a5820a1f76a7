"""Hands in models whose crossover is known, then two rungs, and measures where they meet."""

import math
import timeit

import numpy as np

from polymask.ladder import registry, workload
from polymask.workshop.sandbox.check_failed import CheckFailed, same

SMALL, LARGE = 32**2, 256**2  # pixels of the two measurements
BEFORE, AFTER = "cclass.polygon", "scanline.rows"
SIDES = [round(16 * 2 ** (k / 2)) for k in range(11)]  # 16 ... 512


def check(answer, random):
    """Raise `CheckFailed` unless the prediction is right for models and for measured rungs."""
    for _ in range(5):
        small, large = random.randrange(1, 500), random.randrange(1000, 9999)
        call, pixel = random.uniform(1e-6, 1e-5), random.uniform(1e-7, 1e-6)
        numbers = answer.line(lambda n, a=call, b=pixel: a + b * n, small, large)
        if not isinstance(numbers, tuple | list | np.ndarray) or len(numbers) != 2:
            raise CheckFailed(f"line returns two numbers, got {numbers}")
        same(numbers[0], call, "line: the seconds of a call", rtol=1e-6)
        same(numbers[1], pixel, "line: the seconds of a pixel", rtol=1e-6)
        one, other = (call, pixel), (call + 0.7 * pixel * random.uniform(10, 1e6), 0.3 * pixel)
        check_crossover(answer, one, other, small, large, "two models")
        check_crossover(answer, other, one, small, large, "two models")
    call, pixel = 2.0**-17, 2.0**-20  # no sum is rounded, so parallel lines are just that
    for label, other in (
        ("two models that are parallel", (2 * call, pixel)),
        ("two models of which one is always faster", (2 * call, 2 * pixel)),
    ):
        check_crossover(answer, (call, pixel), other, 256, 2048, label)
    lines, seen = (
        pixels and f"{math.sqrt(pixels):.0f} x {math.sqrt(pixels):.0f}"
        for pixels in predicted(answer, random.randrange(12, 40))
    )
    if lines is None or seen is None:
        return (
            f"right; on this machine, now, {AFTER} overtakes {BEFORE} at {seen or 'no size'} by "
            f"the clock, and at {lines or 'no size'} by the lines"
        )
    return f"seen: {AFTER} overtakes {BEFORE} at {seen} pixels, predicted were {lines}"


def check_crossover(answer, one, other, small, large, label):
    """Raise `CheckFailed` unless the pixels where two lines meet are right; return them, or None.

    A line is two numbers, seconds of a call and of a pixel. Each is to be measured twice.
    """
    asked = [], []

    def time_of(line, asked):
        return lambda pixels: asked.append(float(pixels)) or line[0] + line[1] * pixels

    got = answer.crossover(time_of(one, asked[0]), time_of(other, asked[1]), small, large)
    right = (other[0] - one[0]) / (one[1] - other[1]) if one[1] != other[1] else -1
    if right <= 0 and got is not None:
        raise CheckFailed(f"{label}: their lines do not meet: expected None, got {got}")
    if right > 0:
        if got is None:
            raise CheckFailed(
                f"{label}: their lines meet at {right:.0f} pixels: crossover returned None"
            )
        same(got, right, f"{label}: the pixels where they meet", rtol=1e-5)
    for pixels in asked:
        if sorted(pixels) != [small, large]:
            raise CheckFailed(
                "a prediction needs two measurements of each rung, at `small` and at `large`: of "
                f"{small} and {large} pixels, and {len(pixels)} were made: of {pixels[:5]}"
            )
    return right if right > 0 else None


def predicted(answer, n):
    """Return pixels predicted and pixels seen for two rungs, each None where they do not meet.

    Whether a line through two points is a good model on this machine, now, is no question to the
    student: the prediction has to be that of the line.
    """
    watches, lines = [stopwatch(key, n) for key in (BEFORE, AFTER)], []
    for time_of in watches:
        fast, slow = time_of(SMALL), time_of(LARGE)
        pixel = (slow - fast) / (LARGE - SMALL)
        lines.append((fast - SMALL * pixel, pixel))
    label = f"{BEFORE} and {AFTER}, {n} vertices, as measured here"
    right = check_crossover(answer, *lines, SMALL, LARGE, label)
    before, after = watches
    ahead = [math.log(before(side**2) / after(side**2)) for side in SIDES]
    for k in range(1, len(SIDES)):
        if ahead[k - 1] < 0 <= ahead[k]:
            share = ahead[k - 1] / (ahead[k - 1] - ahead[k])
            return right, SIDES[k - 1] ** (2 * (1 - share)) * SIDES[k] ** (2 * share)
    return right, None


def stopwatch(key, n):
    """Return a function: pixels to seconds, the shortest of several calls."""
    make_mask = registry.get(key).load()

    def time_of(pixels):
        shape = (round(math.sqrt(pixels)),) * 2
        vertices = workload.polygon(n, shape)
        return min(timeit.repeat(lambda: make_mask(vertices, shape), number=1, repeat=9))

    return time_of
