"""Test whether code compiled by Numba makes the masks, which other tests found to be right."""

from ladder.workshop.sandbox import cases, compiling, known_calls
from ladder.workshop.sandbox.check_failed import CheckFailed, same_mask

UNDER = compiling.UNDER
SHAPE = 31, 47


def check(answer, random):
    """Raise `CheckFailed` unless functions compiled by Numba make the masks."""
    label = f"a mask of {SHAPE[0]} x {SHAPE[1]} pixels"
    polygon, mask = cases.random_mask(random, SHAPE)
    call = (polygon, SHAPE), mask, label
    facts = known_calls.check_numba(answer.make_mask, *call, judge=same_mask)
    if (n := len(facts["compiled"])) > SHAPE[0]:
        fact = f"{label}: Python calls compiled functions {n} times"
        raise CheckFailed(f"{fact}: compile the loop over the pixels, too")
    compiling.check_exact()
