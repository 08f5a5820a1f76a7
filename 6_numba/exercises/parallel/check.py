"""Counts the threads that work in a call, and looks whether Numba's code makes the masks."""

import sys

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import child, compiling, garbage, known_calls, process_stats
from polymask.workshop.sandbox.check_failed import CheckFailed, same_mask

UNDER = compiling.UNDER
TEAM = 4  # threads may be more than the cores
SHAPE = (64, 1)  # rows that can be shared, and no columns
VERTICES = 300_000  # so that each pixel takes long
MOST_WORK = 2.5  # times that of one thread: if each makes all of the mask, it is four times that


def check(answer, random):
    """Raise `CheckFailed` unless threads of Numba's share the rows."""

    def draw(shape=(31, 47)):
        vertices = workload.polygon(9, shape, random.randrange(10**6))
        return (vertices, shape), reference.mask(vertices, shape)

    known_calls.check_numba(answer.make_mask, draw, "a mask of 31 x 47 pixels", judge=same_mask)
    compiling.check_exact()
    if not sys.platform.startswith("linux"):
        return "skipped: who works, as only Linux tells how long each thread was busy"
    garbage.stop()
    rng = np.random.default_rng(random.randrange(10**6))
    vertices = rng.uniform((-5, 0), (5, SHAPE[0]), (VERTICES, 2))
    child.step(f"making a mask of {SHAPE[0]} pixels and {VERTICES:,} vertices by threads")
    alone, shared = (busy(answer, vertices, threads) for threads in (1, TEAM))
    if (n := compiling.workers(alone)) != 1:
        raise CheckFailed(f"`threads=1` was asked for, and {n} threads worked")
    compiling.check_shared(shared, f"`threads={TEAM}`")
    if (n := compiling.workers(shared)) < TEAM:
        raise CheckFailed(f"the masks are right, but of `threads={TEAM}` only {n} work")
    if sum(shared) > MOST_WORK * sum(alone):
        raise CheckFailed(
            f"{TEAM} threads work {sum(shared) / sum(alone):.1f} times as long as one, all taken "
            "together: does each of them make all of the mask?"
        )
    return None


def busy(answer, vertices, threads):
    """Return how long each thread was busy with a mask, the longest first."""
    answer.make_mask(vertices[:9], SHAPE, threads=threads)  # what is compiled is compiled now
    return process_stats.busy_seconds(lambda: answer.make_mask(vertices, SHAPE, threads=threads))
