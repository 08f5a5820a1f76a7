"""Finds the answers anew, by profiler and clock, and compares."""

import cProfile
import pstats
import time

from polymask import rungs, workload
from polymask.workshop.compare import Wrong

SHAPE = (64, 64)


def check(module, random):
    """Raise `Wrong` at the first answer that is not what is measured here and now."""
    for name in ("CALLS", "SLOWEST", "ARRAY_IS_SLOWER", "SCALARS"):
        if getattr(module, name, None) is None:
            raise Wrong(f"{name} is still None: run the profiler, and write down what it says")
    calls, slowest = profile()
    if calls != module.CALLS:
        raise Wrong(f"CALLS: the column ncalls does not say {module.CALLS}")
    if slowest != module.SLOWEST:
        raise Wrong(f"SLOWEST: {module.SLOWEST!r} is not first when sorted by tottime")
    slower = seconds("python.scalars") / seconds("python.tuples")
    if not slower / 2 <= module.ARRAY_IS_SLOWER <= slower * 2:
        raise Wrong(f"ARRAY_IS_SLOWER: {module.ARRAY_IS_SLOWER} is not within a factor of two here")
    if module.SCALARS != 4 * workload.VERTICES:
        raise Wrong("SCALARS: how many numbers are read per edge, and how many edges are there?")


def profile():
    """Return the calls of inside_polygon, and the function with the largest tottime."""
    make_mask = rungs.get("python.tuples").load()
    profiler = cProfile.Profile()
    profiler.runcall(make_mask, workload.polygon(shape=SHAPE), SHAPE)
    functions = pstats.Stats(profiler).stats  # (file, line, name): (_, ncalls, tottime, ...)
    calls = sum(said[1] for (_, _, name), said in functions.items() if name == "inside_polygon")
    return calls, max(functions, key=lambda function: functions[function][2])[2]


def seconds(key):
    """Return the shortest of three calls."""
    make_mask, vertices, taken = rungs.get(key).load(), workload.polygon(shape=SHAPE), []
    for _ in range(3):
        start = time.perf_counter()
        make_mask(vertices, SHAPE)
        taken.append(time.perf_counter() - start)
    return min(taken)
