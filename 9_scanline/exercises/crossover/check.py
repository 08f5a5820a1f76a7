"""Hands in models whose crossover is known, then two rungs, and measures where they meet."""

import math
import time

from polymask.ladder import registry, workload
from polymask.workshop.sandbox.wrong import Wrong, same

SMALL, LARGE = 32**2, 256**2  # pixels of the two measurements
SIDES = [round(16 * 2 ** (k / 2)) for k in range(11)]  # 16 ... 512
TIMES_OFF = 2.0  # a line through two points is a simple model, and clocks wander
REPEATS = 9
TRIES = 3  # of the measurement: others may hold the core
BEFORE, AFTER = "cclass.polygon", "scanline.rows"


class Model:
    """A rung that takes what a line says, and counts how often it was asked."""

    def __init__(self, call, pixel):
        self.call, self.pixel, self.asked = call, pixel, []

    def __call__(self, pixels):
        """Return seconds."""
        self.asked.append(pixels)
        return self.call + self.pixel * pixels


def check(answer, random):
    """Raise `Wrong` unless the prediction is right for models, and near for rungs."""
    for _ in range(5):
        check_models(answer, random)
    found = measured(answer, random.randrange(12, 40))
    if found is None:
        return (
            f"skipped: {BEFORE} and {AFTER} do not cross between {SIDES[0]} and {SIDES[-1]} "
            "pixels a side on this machine, so only models were predicted"
        )
    predicted, seen = found
    return (
        f"seen: {AFTER} overtakes {BEFORE} at {math.sqrt(seen):.0f} x {math.sqrt(seen):.0f} "
        f"pixels, predicted were {math.sqrt(predicted):.0f} x {math.sqrt(predicted):.0f}"
    )


def check_models(answer, random):
    """Hold line and crossover against models that are lines."""
    small, large = random.randrange(1, 500), random.randrange(1000, 9999)
    call, pixel = random.uniform(1e-6, 1e-5), random.uniform(1e-7, 1e-6)
    numbers = answer.line(Model(call, pixel), small, large)
    if not isinstance(numbers, tuple | list) or len(numbers) != 2:
        raise Wrong(f"line returns two numbers, got {numbers}")
    same(numbers[0], call, "line: the seconds of a call", rtol=1e-6)
    same(numbers[1], pixel, "line: the seconds of a pixel", rtol=1e-6)
    at = random.uniform(10, 1e6)
    steep = Model(call, pixel)
    flat = Model(call + 0.7 * pixel * at, 0.3 * pixel)
    for one, other in ((steep, flat), (flat, steep)):
        got = answer.crossover(one, other, small, large)
        if got is None:
            raise Wrong(f"two models that meet at {at:.0f} pixels: crossover returned None")
        same(got, at, "two models: the pixels where they meet", rtol=1e-5)
    if max(len(steep.asked), len(flat.asked)) > 4 or {*steep.asked} - {small, large}:
        raise Wrong("a prediction needs two measurements of each rung: at `small` and at `large`")
    call, pixel = 2.0**-17, 2.0**-20  # no sum is rounded, so parallel lines are just that
    for label, other in (
        ("that are parallel", Model(2 * call, pixel)),
        ("of which one is always faster", Model(2 * call, 2 * pixel)),
    ):
        got = answer.crossover(Model(call, pixel), other, 256, 2048)
        if got is not None:
            raise Wrong(f"two models {label}: expected None, got {got}")


def measured(answer, n):
    """Return pixels predicted and pixels seen for two rungs; None if they do not cross here."""
    one, other = stopwatch(BEFORE, n), stopwatch(AFTER, n)
    missed = None
    for _ in range(TRIES):
        seen = meeting(one, other)
        if seen is None:
            continue
        predicted = answer.crossover(one, other, SMALL, LARGE)
        if predicted and 1 / TIMES_OFF <= predicted / seen <= TIMES_OFF:
            return predicted, seen
        missed = (
            f"{BEFORE} and {AFTER}, {n} vertices: they meet at {seen:.0f} pixels, predicted were "
            f"{predicted and round(predicted)}: not within a factor of {TIMES_OFF:g}"
        )
    if missed:
        raise Wrong(missed)
    return None


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
