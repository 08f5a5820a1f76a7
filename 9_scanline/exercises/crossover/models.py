"""Models of rungs, whose crossover is known: what an answer makes of them."""

import numpy as np

from polymask.workshop.sandbox.wrong import Wrong, same

MOST_NAMED = 5


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
