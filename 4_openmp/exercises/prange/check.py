"""Counts the threads that work in a call: without OpenMP there is one, and no message of it."""

import sys

from polymask.ladder import workload
from polymask.workshop.sandbox.wrong import Wrong

TEAM = 4  # threads may be more than the cores
SHAPE = (1024, 1024)
SHARE = 0.02  # of the busy seconds: who has less was not given rows
TRIES = 5  # others may hold the cores until the rows are gone


def check(answer, random):
    """Raise `Wrong` if one thread does it all, or several do where one was asked for."""
    if not sys.platform.startswith("linux"):
        return "skipped: who works, as only Linux tells how long each thread was busy"
    seeds = [random.randrange(10**6) for _ in range(TRIES + 1)]
    if (alone := workers(answer, seeds[0], 1)) != 1:
        raise Wrong(f"`threads=1` was asked for, and {alone} threads worked")
    seen = []
    for seed in seeds[1:]:
        seen.append(workers(answer, seed, TEAM))
        if seen[-1] > 1:
            return None
    raise Wrong(
        f"the masks are right, but of `threads={TEAM}` one does it all: is the loop over the "
        "rows a `prange` of so many threads, and does setup.py say the flag to the compiler "
        "and to the linker?"
    )


def workers(answer, seed, threads):
    """Return how many threads worked for a mask."""
    vertices = workload.polygon(shape=SHAPE, seed=seed)
    _, busy = answer.busy("make_mask", vertices, SHAPE, threads=threads)
    return sum(seconds >= SHARE * sum(busy) for seconds in busy)
