"""Count the threads that work in a call: without OpenMP there is only one, and no error."""

import sys
from pathlib import Path

import numpy as np

from ladder.workshop.sandbox import compiling, process_stats
from ladder.workshop.sandbox.check_failed import CheckFailed

TEAM = 4  # may exceed the number of cores
SHAPE = (64, 1)  # only rows can be distributed
VERTICES = 300_000  # so that each pixel takes long
MOST_WORK = 2.5  # times that of one thread; if each makes the whole mask, the factor is four
TRIES = 5  # some schedules give all rows to the threads that have a core


def check(answer, random):
    """Raise `CheckFailed` unless the rows are distributed to OpenMP threads."""
    if not sys.platform.startswith("linux"):
        return "skipped: only Linux reports how long each thread was busy"
    rng = np.random.default_rng(random.randrange(10**6))
    vertices = rng.uniform((-5, 0), (5, SHAPE[0]), (VERTICES, 2))
    alone = busy(answer, vertices, 1)
    if (n := compiling.workers(alone)) != 1:
        raise CheckFailed(f"`threads=1` was requested, but {n} threads worked")
    for _ in range(TRIES):
        shared = busy(answer, vertices, TEAM)
        if (n := compiling.workers(shared)) == TEAM:
            break
    if n == 1:
        raise CheckFailed(
            f"the masks are right, but with `threads={TEAM}` a single thread works: is the loop "
            "over the rows, not over the columns, a `prange` with `num_threads`, and does setup.py "
            "pass the flag to the compiler and to the linker?"
        )
    if n < TEAM:
        shares = ", ".join(f"{seconds / sum(shared):.0%}" for seconds in shared[:TEAM])
        raise CheckFailed(
            f"the masks are right, but with `threads={TEAM}` only {n} threads work (shares of the "
            f"work: {shares}): are the rows distributed to all threads?"
        )
    if not of_openmp(answer):
        raise CheckFailed(
            f"{TEAM} threads work, but OpenMP did not start them: the module uses none of its "
            "functions. Use `prange` for the loop over the rows"
        )
    if sum(shared) > MOST_WORK * sum(alone):
        raise CheckFailed(
            f"in total, {TEAM} threads work {sum(shared) / sum(alone):.1f} times as long as one: "
            "does each of them make the whole mask?"
        )
    return None


def busy(answer, vertices, threads):
    """Return the seconds that each thread was busy with a mask, the largest first."""
    return process_stats.busy_seconds(
        lambda: answer.make_mask(vertices, SHAPE, threads=threads, schedule=("static", 0))
    )


def of_openmp(module):
    """Return whether the module uses a function of GCC's or clang's OpenMP that starts threads."""
    text = Path(module.__file__).read_bytes()
    return b"GOMP_parallel" in text or b"__kmpc_fork_call" in text
