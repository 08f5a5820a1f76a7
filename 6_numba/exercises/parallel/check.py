"""Test whether compiled code makes the masks, and count the threads that work in a call."""

from ladder.workshop.sandbox import cases, compiling, garbage, known_calls, teams
from ladder.workshop.sandbox.check_failed import same_mask

UNDER = compiling.UNDER
ALONE = (
    "is the outer loop, over the rows, over `prange`, and does the decorator have `parallel=True`?"
)


def check(answer, random):
    """Raise `CheckFailed` unless the rows are distributed to Numba's threads."""
    shape = 31, 47
    polygon, mask = cases.random_mask(random, shape)
    label = "a mask of 31 x 47 pixels"
    known_calls.check_numba(answer.make_mask, (polygon, shape), mask, label, judge=same_mask)
    compiling.check_exact()
    garbage.stop()
    return teams.check(answer, random, ALONE)
