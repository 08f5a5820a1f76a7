"""Compare the answers with a profile, with measured times, and with the code of inside_polygon."""

import cProfile
import inspect
import pstats
import re
import timeit

import numpy as np

from polymask.ladder import registry, workload
from polymask.python.tuples import inside_polygon
from polymask.workshop.sandbox.check_failed import CheckFailed

SHAPE, VERTICES = (64, 64), 24
COMMAND = "polymask profile python.tuples --size 64"
NAMES = ("SLOWEST", "CALLS", "MIN_AND_MAX", "LINE", "ARRAY_IS_SLOWER", "SCALARS")
TRIES = 3  # of each time measurement, because other programs may use the core


def check(answer, random):
    """Raise `CheckFailed` at the first answer that differs from the measurement."""
    for name in NAMES:
        if getattr(answer, name, None) is None:
            raise CheckFailed(f"{name} is still None: run the profiler, and write down its result")
    calls, own = profile()
    slowest = max(own, key=own.get)
    if not re.fullmatch(rf"(.*\()?{re.escape(slowest)}\(?\)?", str(answer.SLOWEST).strip()):
        raise CheckFailed(
            f"SLOWEST: {answer.SLOWEST!r} is not first in `{COMMAND}`, which sorts by tottime"
        )
    if calls[slowest] != number(answer, "CALLS"):
        raise CheckFailed(f"CALLS: the column ncalls does not contain {answer.CALLS}")
    both = sum(n for name, n in calls.items() if name.endswith((".min>", ".max>")))
    # a profile of the whole program has a few more calls
    if not near(number(answer, "MIN_AND_MAX"), both, 1.1):
        raise CheckFailed(f"MIN_AND_MAX: {answer.MIN_AND_MAX} is not the sum of both in ncalls")
    check_line(answer.LINE)
    ratio = number(answer, "ARRAY_IS_SLOWER")
    if not any(near(ratio, slower(), 2) for _ in range(TRIES)):
        raise CheckFailed(f"ARRAY_IS_SLOWER: {ratio} is not within a factor of two on this machine")
    if number(answer, "SCALARS") != 4 * VERTICES:
        raise CheckFailed(
            "SCALARS: how many numbers are read per edge, and how many edges are there?"
        )
    share = own[slowest] / sum(own.values())
    return f"seen: {share:.0%} of the profile is {slowest} itself; {both} calls to min and max"


def number(answer, name):
    """Return an answer, a number from Python or NumPy; raise `CheckFailed` for other values."""
    value = np.asarray(getattr(answer, name))
    if value.size != 1 or value.dtype.kind not in "iuf":
        raise CheckFailed(f"{name}: write a number, without quotes or commas between its digits")
    return value.item()


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


def check_line(line):
    """Raise `CheckFailed` unless the text begins exactly one line, the one that calls `min`."""
    lines = ["".join(text.split()) for text in inspect.getsource(inside_polygon).splitlines()]
    beginning = "".join(str(line).split()).rstrip(".")  # a copied line may have other blanks
    matches = [text for text in lines if beginning and text.startswith(beginning)]
    if len(matches) != 1:
        raise CheckFailed(
            f"LINE: {len(matches)} lines of inside_polygon begin with {line!r}, not one"
        )
    if "min(" not in matches[0]:  # takes longest on any machine: no other line calls functions
        raise CheckFailed(
            f"LINE: the line that begins with {line!r} does not take longest: which line has calls?"
        )
