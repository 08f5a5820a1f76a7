"""Counts the threads that a call starts: without OpenMP there are none, and no message of it."""

from pathlib import Path

from polymask.ladder import workload
from polymask.workshop.sandbox.wrong import Wrong

TEAM = 4  # threads may be more than the cores


def check(module, random):
    """Raise `Wrong` if one thread does it all."""
    module.make_mask(workload.polygon(), (64, 64), threads=1)
    before = threads()
    module.make_mask(workload.polygon(), (64, 64), threads=TEAM)  # a team sleeps, and stays
    if threads() <= before:
        raise Wrong(
            f"the masks are right, but `threads={TEAM}` starts no thread: is the loop over the "
            "rows a `prange` of so many threads, and does setup.py say the flag to the compiler "
            "and to the linker?"
        )


def threads():
    """Return how many threads the process has."""
    return len(list(Path("/proc/self/task").iterdir()))
