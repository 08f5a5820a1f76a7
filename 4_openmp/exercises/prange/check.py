"""Asks the module whether it was built with OpenMP, and counts the threads that a call starts."""

from pathlib import Path

from polymask import contract, workload
from polymask.workshop.compare import Wrong

TEAM = 4  # threads may be more than the cores


def check(module, random):
    """Raise `Wrong` if one thread does it all."""
    try:
        module.check()
    except contract.Unavailable:
        raise Wrong(
            "the masks are right, but it was built without OpenMP: setup.py has to say the flag "
            "to the compiler and to the linker"
        ) from None
    module.make_mask(workload.polygon(), (64, 64), threads=1)
    before = threads()
    module.make_mask(workload.polygon(), (64, 64), threads=TEAM)  # a team sleeps, and stays
    if threads() <= before:
        raise Wrong(
            f"the masks are right, but `threads={TEAM}` starts no thread: who shares the rows?"
        )


def threads():
    """Return how many threads the process has."""
    return len(list(Path("/proc/self/task").iterdir()))
