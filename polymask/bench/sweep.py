"""Curves: the same rows over image sizes, numbers of vertices or threads."""

import math

from polymask.bench import driver, machine
from polymask.bench.result import Sweep
from polymask.ladder import registry, workload

SIZES = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192)
VERTICES = (3, 10, 32, 100, 316, 1000, 3162, 10_000)
LONGEST_RUN_S = 86_400.0  # a budget beyond a day is a slip of the finger
LONGEST_CALL_S = 1.0  # a curve ends where the next call would take longer


def values(over):
    """Return the values of a sweep over "size", "vertices" or "threads"."""
    if over == "threads":
        return tuple(range(1, machine.affinity() + 1))
    return {"size": SIZES, "vertices": VERTICES}[over]


def sweep(
    over,
    keys,  # of the rungs; all if None. For threads, of those with threads
    *,
    shape,  # rows and columns, where the sweep is not over the size
    n,  # of vertices, where it is not over them
    seed,
    seconds,  # for the rounds of all values together
    progress=None,
    chosen=None,  # the values, ascending; those of `values` if None
    **others,
):
    """Measure rungs over "size", "vertices" or "threads", and return the `Sweep`.

    The others are for `driver.measure`. After Ctrl-C it holds what was measured by then.
    """
    chosen = tuple(chosen or values(over))
    keys = [rung.key for rung in registry.RUNGS] if keys is None else keys
    if over == "threads":
        keys = [key for key in keys if "threads" in registry.get(key).options]
    found, left = [], list(keys)
    for value in chosen:
        here = (value, value) if over == "size" else shape
        count = value if over == "vertices" else n
        measured = driver.measure(
            left,
            workload.polygon(count, here, seed),
            here,
            seed=seed,
            seconds=seconds / len(chosen),
            options={key: {"threads": value} for key in left} if over == "threads" else None,
            progress=progress,
            **others,
        )
        found.append(measured)
        if measured.interrupted:
            break
        if over != "threads":
            growth = 4 if over == "size" else math.sqrt(10)  # of pixels times vertices
            times = {key: measured.row(key).median_s or math.inf for key in left}
            left = [key for key in left if growth * times[key] < LONGEST_CALL_S]
    return Sweep(over=over, values=list(chosen[: len(found)]), results=found)
