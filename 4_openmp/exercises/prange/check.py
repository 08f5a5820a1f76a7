"""Counts the threads that work in a call: without OpenMP there is one, and no message of it."""

import sys
import threading
from pathlib import Path

import numpy as np

from polymask.workshop.sandbox import usage
from polymask.workshop.sandbox.wrong import Wrong

TEAM = 4  # threads may be more than the cores
SHAPE = (64, 1)  # rows that can be shared, and no columns
VERTICES = 300_000  # so that each pixel takes long
SHARE = 0.1  # of the busy seconds, the least of a thread: a fair one is a quarter
MOST_WORK = 2.5  # times that of one thread: if each makes all of the mask, it is four times that
TRIES = 5  # a schedule of one's own may leave rows to whoever has a core
TEAMS = (
    b"GOMP_parallel",
    b"__kmpc_fork_call",
)  # functions of OpenMP that start threads: GCC, Clang


def check(answer, random):
    """Raise `Wrong` unless the rows are shared among threads of OpenMP."""
    if not sys.platform.startswith("linux"):
        return "skipped: who works, as only Linux tells how long each thread was busy"
    rng = np.random.default_rng(random.randrange(10**6))
    vertices = rng.uniform((-5, 0), (5, SHAPE[0]), (VERTICES, 2))
    alone = busy(answer, vertices, 1)
    if (n := workers(alone)) != 1:
        raise Wrong(f"`threads=1` was asked for, and {n} threads worked")
    if n := threads_of_python(answer, vertices, SHAPE, TEAM):
        raise Wrong(
            f"{n} threads of Python were started for a mask: here OpenMP is to start its own, by "
            "`prange`"
        )
    for _ in range(TRIES):
        shared = busy(answer, vertices, TEAM)
        if workers(shared) == TEAM:
            break
    if workers(shared) == 1:
        raise Wrong(
            f"the masks are right, but of `threads={TEAM}` one does it all: is the loop over the "
            "rows a `prange` of so many threads, and does setup.py say the flag to the compiler "
            "and to the linker?"
        )
    if workers(shared) < TEAM:
        shares = ", ".join(f"{seconds / sum(shared):.0%}" for seconds in shared[:TEAM])
        raise Wrong(
            f"the masks are right, but of `threads={TEAM}` only {workers(shared)} work (shares of "
            f"the work: {shares}): is it the rows that are shared, and by all threads?"
        )
    if not of_openmp(answer):
        raise Wrong(
            f"{TEAM} threads work, and OpenMP has not started them: the module asks for none of "
            "its functions. Share the loop over the rows by `prange`"
        )
    if sum(shared) > MOST_WORK * sum(alone):
        raise Wrong(
            f"{TEAM} threads work {sum(shared) / sum(alone):.1f} times as long as one, all taken "
            "together: does each of them make all of the mask?"
        )
    return None


def busy(answer, vertices, threads):
    """Return how long each thread was busy with a mask, the longest first."""
    return usage.busy(
        lambda: answer.make_mask(vertices, SHAPE, threads=threads, schedule=("static", 0))
    )


def workers(seconds):
    """Return how many threads had a share of the work."""
    return sum(one >= SHARE * sum(seconds) for one in seconds)


def of_openmp(module):
    """Whether the module asks for a function of OpenMP's that starts threads."""
    held = Path(module.__file__).read_bytes()
    return any(name in held for name in TEAMS)


def threads_of_python(module, vertices, shape, threads):
    """Return how many threads of Python begin while a mask is made."""
    begun, start = [], threading.Thread.start

    def counted(self):
        begun.append(self)
        start(self)

    threading.Thread.start = counted
    try:
        module.make_mask(vertices, shape, threads=threads)
    finally:
        threading.Thread.start = start
    return len(begun)
