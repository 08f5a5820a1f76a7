"""Counts the threads that work in a call: without OpenMP there is one, and no message of it."""

import sys
from pathlib import Path

import numpy as np

from polymask.workshop.sandbox import compiling, process_stats
from polymask.workshop.sandbox.check_failed import CheckFailed

TEAM = 4  # threads may be more than the cores
SHAPE = (64, 1)  # rows that can be shared, and no columns
VERTICES = 300_000  # so that each pixel takes long
MOST_WORK = 2.5  # times that of one thread: if each makes all of the mask, it is four times that
TRIES = 5  # a schedule of one's own may leave rows to whichever thread has a core


def check(answer, random):
    """Raise `CheckFailed` unless the rows are shared among threads of OpenMP."""
    if not sys.platform.startswith("linux"):
        return "skipped: who works, as only Linux tells how long each thread was busy"
    rng = np.random.default_rng(random.randrange(10**6))
    vertices = rng.uniform((-5, 0), (5, SHAPE[0]), (VERTICES, 2))
    alone = busy(answer, vertices, 1)
    if (n := compiling.workers(alone)) != 1:
        raise CheckFailed(f"`threads=1` was asked for, and {n} threads worked")
    for _ in range(TRIES):
        shared = busy(answer, vertices, TEAM)
        if (n := compiling.workers(shared)) == TEAM:
            break
    if n == 1:
        raise CheckFailed(
            f"the masks are right, but of `threads={TEAM}` one does it all: is the loop over the "
            "rows a `prange` of so many threads, and does setup.py say the flag to the compiler "
            "and to the linker?"
        )
    if n < TEAM:
        shares = ", ".join(f"{seconds / sum(shared):.0%}" for seconds in shared[:TEAM])
        raise CheckFailed(
            f"the masks are right, but of `threads={TEAM}` only {n} work (shares of the work: "
            f"{shares}): is it the rows that are shared, and by all threads?"
        )
    if not of_openmp(answer):
        raise CheckFailed(
            f"{TEAM} threads work, and OpenMP has not started them: the module asks for none of "
            "its functions. Share the loop over the rows by `prange`"
        )
    if sum(shared) > MOST_WORK * sum(alone):
        raise CheckFailed(
            f"{TEAM} threads work {sum(shared) / sum(alone):.1f} times as long as one, all taken "
            "together: does each of them make all of the mask?"
        )
    return None


def busy(answer, vertices, threads):
    """Return how long each thread was busy with a mask, the longest first."""
    return process_stats.busy_seconds(
        lambda: answer.make_mask(vertices, SHAPE, threads=threads, schedule=("static", 0))
    )


def of_openmp(module):
    """Whether the module asks for a function of OpenMP's that starts threads: GCC's, Clang's."""
    text = Path(module.__file__).read_bytes()
    return b"GOMP_parallel" in text or b"__kmpc_fork_call" in text
