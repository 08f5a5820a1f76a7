"""The calls that are measured, drawn and done in a child; `student.speed` compares them.

A round has a shape and a seed, from which each child draws the same polygons; it does a batch of
calls by its own clock. A call of that shape comes before, which is not measured: an OpenCL driver
may compile a kernel anew for each size of an image. A result of each batch of the student's is held
against the right one.
"""

import gc
import json
import random
import time

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import child
from polymask.workshop.sandbox.check_failed import same, same_mask

MOST_CALLS = 1000  # of a batch
BATCH = 2**26  # bytes of the masks of a batch
AROUND = 0.03  # a round's rows and columns lie so near to the size


class Masks:
    """Masks to be made, of shapes near a size."""

    def __init__(self, size):
        self.size, self.around = size, max(1, round(AROUND * size))
        self.most = min(MOST_CALLS, max(1, BATCH // (size + self.around) ** 2))

    def draw(self, drawn_by, n):
        """Return the arguments of n calls, all masks of one shape."""
        shape = tuple(self.size + drawn_by.randint(-self.around, self.around) for _ in range(2))
        seeds = [drawn_by.getrandbits(32) for _ in range(n)]
        return [(workload.polygon(shape=shape, seed=seed), shape) for seed in seeds]

    @staticmethod
    def look(got, call):
        """Raise `CheckFailed` unless a call gave the right mask."""
        same_mask(got, reference.mask(*call), "the masks that were timed")


class Values:
    """Calls of an exercise's own function: `timed` draws their arguments, and what is right."""

    most = MOST_CALLS

    def __init__(self, timed):
        self.timed, self.right = timed, {}

    def draw(self, drawn_by, n):
        """Return the arguments of n calls."""
        drawn = [self.timed(drawn_by) for _ in range(n)]
        self.right = dict(drawn)
        return [arguments for arguments, _ in drawn]

    def look(self, got, call):
        """Raise `CheckFailed` unless a call gave what is right."""
        label = f"the calls that were timed, with {', '.join(map(str, call))}"
        same(got, self.right[call], label, rtol=1e-9)


def calls_of(exercise):
    """Return what an exercise measures: `Masks`, or `Values` where it names functions."""
    if exercise.speed.functions:
        return Values(exercise.own_check().timed)
    return Masks(exercise.speed.size)


def serve(answer, lane, drawn, questions):
    """Do the batches that lines of JSON ask for: a seed, how many calls, which to look at.

    `drawn` is what `calls_of` returns. Of one seed all lanes draw the same calls, as many as each
    of them does.
    """
    names = child.exercise.speed.functions
    function = getattr(answer, names.get(lane, names.get("yours", "make_mask")))
    for question in map(json.loads, questions):
        first, *calls = drawn.draw(random.Random(question["seed"]), question["calls"] + 1)
        function(*first)
        seconds, got = batch(function, calls, question["look"])
        if lane == "yours":
            drawn.look(got, calls[question["look"]])
        child.tell(value=seconds)


def batch(function, calls, chosen):
    """Do calls; return the seconds that they took, and what one of them gave."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        begun = time.perf_counter()
        values = [function(*call) for call in calls]
        return time.perf_counter() - begun, values[chosen]
    finally:
        if collecting:
            gc.enable()
