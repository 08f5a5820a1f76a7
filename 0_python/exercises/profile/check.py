"""Finds the answers anew, by profiler, line by line, and by the clock, and compares."""

import cProfile
import inspect
import pstats
import re
import statistics
import sys
import time

import numpy as np

from polymask.ladder import registry, workload
from polymask.python.tuples import inside_polygon
from polymask.workshop.sandbox.wrong import Wrong

SHAPE = (64, 64)
COMMAND = "polymask profile python.tuples --size 64"
NAMES = ("SLOWEST", "CALLS", "MIN_AND_MAX", "LINE", "ARRAY_IS_SLOWER", "SCALARS")
NEAR = 0.1  # a profile of the whole program has some calls more
TRIES = 3  # of what is timed: others may hold the core
NEARLY_LONGEST = 0.8  # a line that takes nearly as long as the longest will do


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


def slower(shape):
    """Return how many times as long as with tuples a mask takes with an array."""
    return seconds("python.scalars", shape) / seconds("python.tuples", shape)


def seconds(key, shape):
    """Return the shortest of three calls."""
    make_mask, vertices, taken = registry.get(key).load(), workload.polygon(shape=shape), []
    for _ in range(3):
        start = time.perf_counter()
        make_mask(vertices, shape)
        taken.append(time.perf_counter() - start)
    return min(taken)


class Counting(np.ndarray):
    """An array that counts the scalars which it makes."""

    made = 0

    def __getitem__(self, index):
        """Return what an array does; count it if it is a scalar."""
        found = super().__getitem__(index)
        Counting.made += isinstance(found, np.generic)
        return found


def scalars(shape):
    """Return how many NumPy scalars one pixel makes that no vertex lies on."""
    Counting.made = 0
    inside_polygon(0.25, 0.25, workload.polygon(shape=shape).view(Counting), True)
    return Counting.made


def check_line(line, shape):
    """Raise `Wrong` unless the line that begins so takes longest, or nearly so."""
    lines, first = inspect.getsourcelines(inside_polygon)
    wanted = without_blanks(str(line))
    found = [i for i, text in enumerate(lines) if without_blanks(text).startswith(wanted)]
    if len(found) != 1 or not wanted:
        raise Wrong(f"LINE: {len(found)} lines of inside_polygon begin with {line!r}, not one")
    for _ in range(TRIES):
        taken = seconds_by_line(shape)
        if taken.get(first + found[0], 0.0) >= NEARLY_LONGEST * max(taken.values()):
            return
    raise Wrong(f"LINE: the one that begins with {line!r} does not take longest: which one calls?")


def without_blanks(text):
    """Return a line as it is compared: who copies one may space it otherwise."""
    return "".join(text.split()).rstrip(".")


def seconds_by_line(shape):
    """Return line to seconds of inside_polygon, over every 16th pixel: a profiler by lines.

    A line's seconds are the median of its runs, times how often it ran: the system may take the
    core away in the midst of any line.
    """
    vertices = workload.polygon(shape=shape).tolist()
    taken, at, since = {}, None, 0.0

    def note(frame, event, argument):
        nonlocal at, since
        now = time.perf_counter()
        if at is not None:
            taken.setdefault(at, []).append(now - since)
        at = frame.f_lineno if event == "line" else None
        since = time.perf_counter()
        return note

    before = sys.gettrace()
    sys.settrace(lambda frame, *_: note if frame.f_code is inside_polygon.__code__ else None)
    try:
        for y in range(0, shape[0], 4):
            for x in range(0, shape[1], 4):
                inside_polygon(x, y, vertices, True)
    finally:
        sys.settrace(before)
    return {at: len(runs) * statistics.median(runs) for at, runs in taken.items()}
