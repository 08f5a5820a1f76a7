"""Count the threads that work in a call, and test whether compiled code makes the masks."""

import sys

import numpy as np

from ladder.registry import reference, workload
from ladder.workshop.sandbox import child, compiling, garbage, known_calls, process_stats
from ladder.workshop.sandbox.check_failed import CheckFailed, same_mask

UNDER = compiling.UNDER
TEAM = 4  # may exceed the number of cores
SHAPE = (64, 1)  # only rows can be distributed
VERTICES = 300_000  # so that each pixel takes long
MOST_WORK = 2.5  # times that of one thread; if each makes the whole mask, the factor is four


def check(answer, random):
    """Raise `CheckFailed` unless the rows are distributed to Numba's threads."""

    def draw(shape=(31, 47)):
        vertices = workload.polygon(9, shape, random.randrange(10**6))
        return (vertices, shape), reference.mask(vertices, shape)

    known_calls.check_numba(answer.make_mask, draw, "a mask of 31 x 47 pixels", judge=same_mask)
    compiling.check_exact()
    if not sys.platform.startswith("linux"):
        return "skipped: only Linux reports how long each thread was busy"
    garbage.stop()
    rng = np.random.default_rng(random.randrange(10**6))
    vertices = rng.uniform((-5, 0), (5, SHAPE[0]), (VERTICES, 2))
    child.step(f"making a mask of {SHAPE[0]} pixels and {VERTICES:,} vertices with threads")
    alone, shared = (busy(answer, vertices, threads) for threads in (1, TEAM))
    if (n := compiling.workers(alone)) != 1:
        raise CheckFailed(f"`threads=1` was requested, but {n} threads worked")
    compiling.check_shared(shared, f"`threads={TEAM}`")
    if (n := compiling.workers(shared)) < TEAM:
        raise CheckFailed(f"the masks are right, but with `threads={TEAM}` only {n} threads work")
    if sum(shared) > MOST_WORK * sum(alone):
        raise CheckFailed(
            f"in total, {TEAM} threads work {sum(shared) / sum(alone):.1f} times as long as one: "
            "does each of them make the whole mask?"
        )
    return None


def busy(answer, vertices, threads):
    """Return the seconds that each thread was busy with a mask, the largest first."""
    answer.make_mask(vertices[:9], SHAPE, threads=threads)  # compiles the functions beforehand
    return process_stats.busy_seconds(lambda: answer.make_mask(vertices, SHAPE, threads=threads))
