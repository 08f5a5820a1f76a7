"""The check of a mask whose crossings are not all numbers, for exercises with toggles."""

from ladder.registry import reference
from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed, same_mask

VERTICES, SHAPE = [(2.0, -1.5e308), (9.0, 1.5e308), (4.0, 5.0)], (9, 14)
LABEL = "coordinates of 1.5e308, so that x is not a number for one of the edges"
ADVICE = "such an edge toggles nothing"


def check(answer, random):
    """Raise `CheckFailed` unless edges toggle nothing in rows where their x is not a number."""
    child.step(LABEL)
    try:
        same_mask(answer.make_mask(VERTICES, SHAPE), reference.mask(VERTICES, SHAPE), LABEL)
    except CheckFailed as error:
        raise CheckFailed(error.fact, error.got, error.expected, ADVICE) from None
    except IndexError as error:
        raise CheckFailed(f"{LABEL}: {error}", advice=ADVICE) from None
