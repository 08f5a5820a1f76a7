"""Which line of inside_polygon takes longest: a profiler by lines, as cProfile knows none."""

import inspect
import statistics
import sys
import time

from polymask.ladder import workload
from polymask.python.tuples import inside_polygon
from polymask.workshop.sandbox.wrong import Wrong

NEARLY_LONGEST = 0.8  # a line that takes nearly as long as the longest will do
TRIES = 3  # others may hold the core


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
