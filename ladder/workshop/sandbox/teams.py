"""The check that threads share the rows of a mask, as many threads as are asked for."""

import sys

import numpy as np

from ladder.workshop.sandbox import child, compiling, process_stats
from ladder.workshop.sandbox.check_failed import CheckFailed

TEAM = 4  # may exceed the number of cores
SHAPE = (64, 1)  # only rows can be distributed
VERTICES = 300_000  # so that each pixel takes long
MOST_WORK = 2.5  # times that of one thread; if each makes the whole mask, the factor is four
TRIES = 5  # some schedules give all rows to the threads that have a core
COLUMNS = (
    "the threads share the columns of a row, so each row starts a team again. Make the outer loop, "
    "over the rows, the `prange`"
)
SKIPPED = "skipped: only Linux reports how long each thread was busy"


def check(answer, random, alone, **options):
    """Return a note of the shares; raise `CheckFailed`, `alone` if one thread works on all rows."""
    if not sys.platform.startswith("linux"):
        return SKIPPED
    rng = np.random.default_rng(random.randrange(10**6))
    vertices = rng.uniform((-5, 0), (5, SHAPE[0]), (VERTICES, 2))
    child.step(f"making a mask of {SHAPE[0]} pixels and {VERTICES:,} vertices with threads")

    def busy(threads, shape=SHAPE):
        answer.make_mask(vertices[:9], shape, threads=threads, **options)  # compiles it beforehand
        return process_stats.busy_seconds(
            lambda: answer.make_mask(vertices, shape, threads=threads, **options)
        )

    single = busy(1)
    if (n := compiling.workers(single)) != 1:
        advice = "pass the size of the team on, in OpenMP by `num_threads=team`"
        raise CheckFailed(f"`threads=1` was requested, but {n} threads worked", advice=advice)
    for _ in range(TRIES):
        shared = busy(TEAM)
        if (n := compiling.workers(shared)) == TEAM:
            break
    message = f"with `threads={TEAM}`"
    if n == 1:
        cause = COLUMNS if compiling.workers(busy(TEAM, SHAPE[::-1])) > 1 else alone
        raise CheckFailed(f"{message} a single thread works: {cause}")
    shares = ", ".join(f"{seconds / sum(shared):.0%}" for seconds in shared[:TEAM])
    if n < TEAM:
        fact = f"{message} only {n} threads work (shares of the work: {shares})"
        raise CheckFailed(fact, advice="are the rows distributed to all threads?")
    if sum(shared) > MOST_WORK * sum(single):
        fact = f"in total, {TEAM} threads work {sum(shared) / sum(single):.1f} times as long as one"
        raise CheckFailed(fact, advice="does each of them make the whole mask?")
    return f"seen: {TEAM} threads shared {SHAPE[0]} rows; their shares of the work: {shares}"
