"""Compare the answers with a profile, and with measured times."""

import cProfile
import pstats
import re
import timeit

import numpy as np

from ladder import registry
from ladder.registry import workload
from ladder.workshop import concepts
from ladder.workshop.sandbox.check_failed import CheckFailed

SHAPE, VERTICES = (64, 64), 24
COMMAND = "polymask profile python.tuples --size 64"
TRIES = 3  # of each time measurement, because other programs may use the core


def check(answer, random):
    """Raise `CheckFailed` at the first answer that is missing, or differs from the measurement."""
    calls, own = profile()
    slowest = max(own, key=own.get)
    both = sum(n for name, n in calls.items() if name.endswith((".min>", ".max>")))
    own_calls = getattr(answer, "CALLS", None)
    other = "".join([f", but of {key}" for key, n in calls.items() if near(own_calls, n)][:1])
    pattern = rf"(.*[(.])?{re.escape(slowest)}\(?\)?"
    judges = {  # whether a value is right, and what to say if not
        "SLOWEST": (
            lambda value: re.fullmatch(pattern, str(value).strip()),
            f"is not first in `{COMMAND}`, which sorts by tottime {concepts.PROFILE}",
        ),
        "CALLS": (
            lambda value: near(value, calls[slowest]),
            f"is not the ncalls of SLOWEST{other}",
        ),
        # a profile of the whole program has a few more calls
        "MIN_AND_MAX": (lambda value: near(value, both, 1.1), "is not the sum of both in ncalls"),
        "ARRAY_IS_SLOWER": (
            lambda value: any(near(value, slower(), 2) for _ in range(TRIES)),
            "is not within a factor of two: divide the time of scalars by that of tuples",
        ),
    }
    for name, (is_right, advice) in judges.items():
        value = getattr(answer, name, None)
        if value is None:
            raise CheckFailed(f"{name} is still None: run the profiler, and write your answer")
        if isinstance(value, tuple):
            raise CheckFailed(f"{name}: {value} is a tuple: write numbers without commas")
        if not is_right(value):
            raise CheckFailed(f"{name}: {value!r} {advice}")
    share = own[slowest] / sum(own.values())
    return f"seen: {share:.0%} of the profile is {slowest} itself; {both} calls to min and max"


def near(answer, measured, factor=1.0):
    """Return whether an answer is a number that equals the measured one, within a factor."""
    array = np.asarray(answer)
    is_number = array.size == 1 and array.dtype.kind in "iuf"
    return is_number and measured / factor <= array.item() <= measured * factor


def profile():
    """Return the calls during one mask, and the seconds without callees, by function name."""
    make_mask, profiler = registry.get("python.tuples").load(), cProfile.Profile()
    profiler.runcall(make_mask, workload.polygon(VERTICES, SHAPE), SHAPE)
    stats = pstats.Stats(profiler).stats  # (file, line, name): (_, ncalls, tottime, ...)
    return {f[2]: row[1] for f, row in stats.items()}, {f[2]: row[2] for f, row in stats.items()}


def slower():
    """Return the time of a mask with an array, divided by the time with tuples."""
    vertices = workload.polygon(VERTICES, SHAPE)

    def seconds(key):
        make_mask = registry.get(key).load()
        return min(timeit.repeat(lambda: make_mask(vertices, SHAPE), number=1, repeat=3))

    return seconds("python.scalars") / seconds("python.tuples")
