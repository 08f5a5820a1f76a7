"""Pass models whose crossover is known, then two rungs, and measure where they meet."""

import math
import timeit

import numpy as np

from ladder import registry
from ladder.registry import workload
from ladder.workshop.sandbox.check_failed import CheckFailed, same

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
            raise CheckFailed(f"line must return two numbers, got {numbers}")
        same(numbers[0], call, "line: the seconds of a call", rtol=1e-6)
        same(numbers[1], pixel, "line: the seconds of a pixel", rtol=1e-6)
        one, other = (call, pixel), (call + 0.7 * pixel * random.uniform(10, 1e6), 0.3 * pixel)
        check_crossover(answer, one, other, small, large, "two models")
        check_crossover(answer, other, one, small, large, "two models")
    call, pixel = 2.0**-17, 2.0**-20  # sums are exact, so parallel lines stay parallel
    for label, other in (
        ("two models that are parallel", (2 * call, pixel)),
        ("two models of which one is always faster", (2 * call, 2 * pixel)),
    ):
        check_crossover(answer, (call, pixel), other, 256, 2048, label)
    lines, clock = (
        pixels and f"{math.sqrt(pixels):.0f} x {math.sqrt(pixels):.0f}"
        for pixels in predicted(answer, random.randrange(12, 40))
    )
    if lines is None or clock is None:
        return (
            f"right; in this run, {AFTER} overtakes {BEFORE} at {clock or 'no size'} by the clock, "
            f"and at {lines or 'no size'} by the lines"
        )
    return f"seen: {AFTER} overtakes {BEFORE} at {clock} pixels; the prediction was {lines}"


def check_crossover(answer, one, other, small, large, label):
    """Raise `CheckFailed` unless the pixels where two lines meet are right; return them, or None.

    A line is two numbers, the seconds of a call and of a pixel. It must be measured twice.
    """
    sizes = [], []

    def time_of(line, sizes):
        return lambda pixels: sizes.append(float(pixels)) or line[0] + line[1] * pixels

    got = answer.crossover(time_of(one, sizes[0]), time_of(other, sizes[1]), small, large)
    right = (other[0] - one[0]) / (one[1] - other[1]) if one[1] != other[1] else -1
    if right <= 0 and got is not None:
        raise CheckFailed(f"{label}: their lines do not meet: expected None, got {got}")
    if right > 0:
        if got is None:
            raise CheckFailed(
                f"{label}: their lines meet at {right:.0f} pixels, but crossover returned None"
            )
        same(got, right, f"{label}: the pixels where they meet", rtol=1e-5)
    for pixels in sizes:
        if sorted(pixels) != [small, large]:
            raise CheckFailed(
                "a prediction needs two measurements of each rung, at `small` and `large`, here "
                f"{small} and {large} pixels, but {len(pixels)} were made, at {pixels[:5]}"
            )
    return right if right > 0 else None


def predicted(answer, n):
    """Return predicted and measured pixels for two rungs, each None where they do not meet.

    The prediction must agree with the line through two points, whether or not that line is a good
    model on this machine.
    """
    watches, lines = [stopwatch(key, n) for key in (BEFORE, AFTER)], []
    for time_of in watches:
        fast, slow = time_of(SMALL), time_of(LARGE)
        pixel = (slow - fast) / (LARGE - SMALL)
        lines.append((fast - SMALL * pixel, pixel))
    label = f"{BEFORE} and {AFTER}, {n} vertices, as measured on this machine"
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
