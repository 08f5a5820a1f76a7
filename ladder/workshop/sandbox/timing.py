"""The timed calls in a child; `student.speed` compares them.

In each round, every lane draws the same polygons from a shape and a seed, and times a batch of
calls with its own clock. An untimed call with that shape comes first: an OpenCL driver may compile
a kernel again for each image size. One result from each of the student's batches is checked.
"""

import gc
import json
import random
import time

from ladder.registry import reference, workload
from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import same, same_mask

MOST_CALLS = 1000  # in a batch
BATCH = 2**26  # bytes of all masks in a batch
AROUND = 0.03  # the largest relative difference of rows and columns from the size


class Masks:
    """Calls that make masks whose shapes are near a size."""

    def __init__(self, size):
        self.size, self.around = size, max(1, round(AROUND * size))
        self.most = min(MOST_CALLS, max(1, BATCH // (size + self.around) ** 2))

    def draw(self, rng, n):
        """Return the arguments of n calls, with the same shape."""
        shape = tuple(self.size + rng.randint(-self.around, self.around) for _ in range(2))
        seeds = [rng.getrandbits(32) for _ in range(n)]
        return [(workload.polygon(shape=shape, seed=seed), shape) for seed in seeds]

    @staticmethod
    def check_result(got, call):
        """Raise `CheckFailed` unless a call returned the right mask."""
        same_mask(got, reference.mask(*call), "the masks that were timed")


class Values:
    """Calls to an exercise's own function: `timed` draws arguments and right results."""

    most = MOST_CALLS

    def __init__(self, timed):
        self.timed, self.right = timed, {}

    def draw(self, rng, n):
        """Return the arguments of n calls."""
        calls = [self.timed(rng) for _ in range(n)]
        self.right = dict(calls)
        return [arguments for arguments, _ in calls]

    def check_result(self, got, call):
        """Raise `CheckFailed` unless a call returned the right result."""
        label = f"the calls that were timed, with {', '.join(map(str, call))}"
        same(got, self.right[call], label, rtol=1e-9)


def calls_of(exercise):
    """Return the calls that an exercise times: `Masks`, or `Values` if it names functions."""
    if exercise.speed.functions:
        return Values(exercise.own_check().timed)
    return Masks(exercise.speed.size)


def serve(modules, call_source, questions):
    """Run a batch for each line of JSON: a lane, a seed, the number of calls, the call to check.

    `modules` has a module for each lane of this process, and `call_source` is a result of
    `calls_of`. With one seed, all lanes draw the same calls, up to the number that each of them
    makes.
    """
    names = child.exercise.speed.functions
    for question in map(json.loads, questions):
        lane = question["lane"]
        function = getattr(modules[lane], names.get(lane, names.get("yours", "make_mask")))
        first, *calls = call_source.draw(random.Random(question["seed"]), question["calls"] + 1)
        function(*first)
        seconds, got = batch(function, calls, question["look"])
        if lane == "yours":
            call_source.check_result(got, calls[question["look"]])
        child.tell(value=seconds)


def batch(function, calls, chosen):
    """Make calls; return their time in seconds, and the result of one of them."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        begun = time.perf_counter()
        values = [function(*call) for call in calls]
        return time.perf_counter() - begun, values[chosen]
    finally:
        if was_enabled:
            gc.enable()
