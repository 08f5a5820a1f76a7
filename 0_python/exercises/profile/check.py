"""Finds the answers anew, by profiler, line by line, and by the clock, and compares."""

import cProfile
import pstats
import re

import numpy as np

from polymask.ladder import registry, workload
from polymask.workshop.sandbox.wrong import Wrong

from .arrays import scalars, slower
from .lines import check_line

SHAPE = (64, 64)
COMMAND = "polymask profile python.tuples --size 64"
NAMES = ("SLOWEST", "CALLS", "MIN_AND_MAX", "LINE", "ARRAY_IS_SLOWER", "SCALARS")
NEAR = 0.1  # a profile of the whole program has some calls more
TRIES = 3  # of what is timed: others may hold the core


def check(answer, random):
    """Raise `Wrong` at the first answer that is not what is measured here and now."""
    for name in NAMES:
        if getattr(answer, name, None) is None:
            raise Wrong(f"{name} is still None: run the profiler, and write down what it says")
    calls, own = profile()
    slowest = max(own, key=own.get)
    if not re.fullmatch(rf"(.*\()?{re.escape(slowest)}\(?\)?", str(answer.SLOWEST).strip()):
        raise Wrong(
            f"SLOWEST: {answer.SLOWEST!r} is not first in `{COMMAND}`, which sorts by tottime"
        )
    if calls[slowest] != number(answer, "CALLS"):
        raise Wrong(f"CALLS: the column ncalls does not say {answer.CALLS}")
    both = sum(n for name, n in calls.items() if name.endswith((".min>", ".max>")))
    if not near(number(answer, "MIN_AND_MAX"), both, 1 + NEAR):
        raise Wrong(f"MIN_AND_MAX: {answer.MIN_AND_MAX} is not the sum of the two in ncalls")
    check_line(answer.LINE, SHAPE)
    ratio = number(answer, "ARRAY_IS_SLOWER")
    if not any(near(ratio, slower(SHAPE), 2) for _ in range(TRIES)):
        raise Wrong(f"ARRAY_IS_SLOWER: {ratio} is not within a factor of two here")
    if scalars(SHAPE) != number(answer, "SCALARS"):
        raise Wrong("SCALARS: how many numbers are read per edge, and how many edges are there?")
    share = own[slowest] / sum(own.values())
    return f"seen: {share:.0%} of the profile is {slowest} itself; {both} calls of min, max"


def number(answer, name):
    """Return an answer, a number of Python's or NumPy's; raise `Wrong` for anything else."""
    said = np.asarray(getattr(answer, name))
    if said.size != 1 or said.dtype.kind not in "iuf":
        raise Wrong(f"{name}: write a number, without quotes or commas between its digits")
    return said.item()


def near(answer, seen, factor):
    """Whether a number that was answered is the one that was seen, within a factor."""
    return seen / factor <= answer <= seen * factor


def profile():
    """Return calls and seconds of their own, by the functions' names, of one mask."""
    make_mask = registry.get("python.tuples").load()
    profiler = cProfile.Profile()
    profiler.runcall(make_mask, workload.polygon(shape=SHAPE), SHAPE)
    found = pstats.Stats(profiler).stats  # (file, line, name): (_, ncalls, tottime, ...)
    names = {function[2]: said for function, said in found.items()}
    return {n: said[1] for n, said in names.items()}, {n: said[2] for n, said in names.items()}
