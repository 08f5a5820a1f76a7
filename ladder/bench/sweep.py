"""Sweeps: the same rows over several image sizes, numbers of vertices or numbers of threads."""

import math
from dataclasses import replace

from ladder import registry
from ladder.bench import driver
from ladder.bench.result import Sweep
from ladder.registry import workload
from polymask.masks import container

OVER = "size", "vertices", "threads"
SIZES = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192)
VERTICES = (3, 10, 32, 100, 316, 1000, 3162, 10_000)
LONGEST_RUN_S = 86_400.0  # a budget of more than a day is a typing error
LONGEST_CALL_S = 1.0  # a curve ends before longer calls


def values(over):
    """Return the values of a sweep over "size", "vertices" or "threads"."""
    if over == "threads":
        return tuple(range(1, container.cores() + 1))
    return {"size": SIZES, "vertices": VERTICES}[over]


def sweep(over, plan, *, chosen=None, busy=None, progress=None):
    """Measure a plan over "size", "vertices" or "threads", and return the `Sweep`.

    `chosen` contains the values in ascending order; None means all of `values`. The plan's seconds
    are the time for the rounds of all values. A sweep over threads contains only the rungs with
    threads. After Ctrl-C, the sweep contains the results so far.
    """
    chosen = tuple(chosen or values(over))
    keys = [rung.key for rung in registry.RUNGS] if plan.keys is None else list(plan.keys)
    if over == "threads":
        keys = [key for key in keys if "threads" in registry.get(key).options]
    results = []
    for value in chosen:
        shape = (value, value) if over == "size" else plan.shape
        count = value if over == "vertices" else len(plan.vertices)
        value_plan = replace(
            plan,
            keys=keys,
            vertices=workload.polygon(count, shape, plan.seed),
            shape=shape,
            options={key: {"threads": value} for key in keys} if over == "threads" else {},
            seconds=plan.seconds / len(chosen),
        )
        result = driver.measure(value_plan, busy=busy, progress=progress)
        results.append(result)
        if result.interrupted:
            break
        if over != "threads":
            growth = 4 if over == "size" else math.sqrt(10)  # of pixels times vertices
            times = {key: result.row(key).median_s or math.inf for key in keys}
            keys = [key for key in keys if growth * times[key] < LONGEST_CALL_S]
    return Sweep(over=over, values=list(chosen[: len(results)]), results=results)
