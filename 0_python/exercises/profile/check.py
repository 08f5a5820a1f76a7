"""Compare the answers with a profile, with measured times, and with the code of inside_polygon."""

import cProfile
import inspect
import pstats
import re
import timeit

import numpy as np

from ladder import registry
from ladder.python.tuples import inside_polygon
from ladder.registry import workload
from ladder.workshop import concepts
from ladder.workshop.sandbox.check_failed import CheckFailed

SHAPE, VERTICES = (64, 64), 24
COMMAND = "polymask profile python.tuples --size 64"
TRIES = 3  # of each time measurement, because other programs may use the core


def check(answer, random):
    """Judge all answers; raise `CheckFailed` if one is missing, or differs from the measurement."""
    calls, own = profile()
    slowest = max(own, key=own.get)
    both = sum(n for name, n in calls.items() if name.endswith((".min>", ".max>")))
    pattern = rf"(.*\()?{re.escape(slowest)}\(?\)?"
    judges = {  # for each answer: whether a value is right, and what to say if not
        "SLOWEST": (
            lambda value: re.fullmatch(pattern, str(value).strip()),
            f"is not first in `{COMMAND}`, which sorts by tottime {concepts.PROFILE}",
        ),
        "CALLS": (lambda value: number(value) == calls[slowest], "is not in the column ncalls"),
        # a profile of the whole program has a few more calls
        "MIN_AND_MAX": (
            lambda value: near(number(value), both, 1.1),
            "is not the sum of both in ncalls",
        ),
        "LINE": (is_slowest_line, "does not take longest: which line has calls?"),
        "ARRAY_IS_SLOWER": (
            lambda value: any(near(number(value), slower(), 2) for _ in range(TRIES)),
            "is not within a factor of two on this machine",
        ),
        "SCALARS": (
            lambda value: number(value) == 4 * VERTICES,
            "is wrong: how many numbers are read per edge, and how many edges are there?",
        ),
    }
    right, wrong, missing = [], [], []
    for name, (is_right, advice) in judges.items():
        value = getattr(answer, name, None)
        if value is None:
            missing.append(name)
            continue
        try:
            if is_right(value):
                right.append(name)
            else:
                wrong.append(f"{name}: {value!r} {advice}")
        except CheckFailed as failure:
            wrong.append(f"{name}: {failure}")
    if len(missing) == len(judges):
        raise CheckFailed("not written yet: run the profiler, and replace None in each line")
    if wrong or missing:
        lines = [f"{len(right)} of {len(judges)} answers are right: {', '.join(right) or 'none'}"]
        lines += wrong + ([f"still None: {', '.join(missing)}"] if missing else [])
        raise CheckFailed("\n".join(lines))
    share = own[slowest] / sum(own.values())
    return f"seen: {share:.0%} of the profile is {slowest} itself; {both} calls to min and max"


def number(value):
    """Return an answer, a number from Python or NumPy; raise `CheckFailed` for other values."""
    array = np.asarray(value)
    if array.size != 1 or array.dtype.kind not in "iuf":
        raise CheckFailed("write a number, without quotes or commas between its digits")
    return array.item()


def near(answer, measured, factor):
    """Return whether an answer equals the measured number, within a factor."""
    return measured / factor <= answer <= measured * factor


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


def is_slowest_line(value):
    """Return whether the text begins the line that calls `min`; it must begin exactly one line."""
    lines = ["".join(text.split()) for text in inspect.getsource(inside_polygon).splitlines()]
    beginning = "".join(str(value).split()).rstrip(".")  # a copied line may have other blanks
    matches = [text for text in lines if beginning and text.startswith(beginning)]
    if len(matches) != 1:
        raise CheckFailed(f"{len(matches)} lines of inside_polygon begin with {value!r}, not one")
    return "min(" in matches[0]  # on any machine: no other line calls functions
