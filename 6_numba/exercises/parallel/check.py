"""Test whether compiled code makes the masks, and count the threads that work in a call."""

from ladder.workshop.sandbox import cases, compiling, garbage, known_calls, teams
from ladder.workshop.sandbox.check_failed import same_mask

UNDER = compiling.UNDER


def check(answer, random):
    """Raise `CheckFailed` unless the rows are distributed to Numba's threads."""
    shape = 31, 47
    polygon, mask = cases.random_mask(random, shape)
    label = "a mask of 31 x 47 pixels"
    call = (polygon, shape), mask, label
    facts = known_calls.check_numba(answer.make_mask, *call, judge=same_mask)
    is_parallel = any(note["parallel"] for note in facts["compiled"])
    alone = "no loop is over `numba.prange`" if is_parallel else "fill has no `parallel=True`"
    compiling.check_exact()
    garbage.perturb(0)
    return teams.check(answer, random, alone)
