"""Curves: the same rows over image sizes, numbers of vertices or threads."""

import math
from dataclasses import replace

from polymask.bench import driver, machine
from polymask.bench.result import Sweep
from polymask.ladder import registry, workload

OVER = "size", "vertices", "threads"
SIZES = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192)
VERTICES = (3, 10, 32, 100, 316, 1000, 3162, 10_000)
LONGEST_RUN_S = 86_400.0  # a budget beyond a day is a typing error
LONGEST_CALL_S = 1.0  # seconds: a curve ends before a longer call


def values(over):
    """Return the values of a sweep over "size", "vertices" or "threads"."""
    if over == "threads":
        return tuple(range(1, machine.affinity() + 1))
    return {"size": SIZES, "vertices": VERTICES}[over]


def sweep(over, plan, *, chosen=None, busy=None, progress=None):
    """Measure a plan over "size", "vertices" or "threads", and return the `Sweep`.

    `chosen` are the values, ascending; those of `values` if None. The plan's seconds are for the
    rounds of all values together. A sweep over threads contains the rungs that have threads. After
    Ctrl-C it holds the results so far.
    """
    chosen = tuple(chosen or values(over))
    left = [rung.key for rung in registry.RUNGS] if plan.keys is None else list(plan.keys)
    if over == "threads":
        left = [key for key in left if "threads" in registry.get(key).options]
    results = []
    for value in chosen:
        shape = (value, value) if over == "size" else plan.shape
        count = value if over == "vertices" else len(plan.vertices)
        value_plan = replace(
            plan,
            keys=left,
            vertices=workload.polygon(count, shape, plan.seed),
            shape=shape,
            options={key: {"threads": value} for key in left} if over == "threads" else {},
            seconds=plan.seconds / len(chosen),
        )
        measured = driver.measure(value_plan, busy=busy, progress=progress)
        results.append(measured)
        if measured.interrupted:
            break
        if over != "threads":
            growth = 4 if over == "size" else math.sqrt(10)  # of pixels times vertices
            times = {key: measured.row(key).median_s or math.inf for key in left}
            left = [key for key in left if growth * times[key] < LONGEST_CALL_S]
    return Sweep(over=over, values=list(chosen[: len(results)]), results=results)
