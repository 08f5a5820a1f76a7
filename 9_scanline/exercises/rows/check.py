"""Before the mask checks: edges to the left of the image. After them: an x that is no number."""

from ladder.registry import reference
from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed, advising, same_mask

VERTICES, SHAPE = [(2.0, -1.5e308), (9.0, 1.5e308), (4.0, 5.0)], (9, 14)
LABEL = "coordinates of 1.5e308, so that x is not a number for one of the edges"


def first(answer, random):
    """Raise `CheckFailed` if edges to the left of the image toggle a pixel."""
    if answer.make_mask([(-9.5, 0.5), (-1.5, 4.0), (-6.0, 8.0)], SHAPE).any():
        raise CheckFailed("edges left of the image toggle pixels: if x < 0, store nothing")


def check(answer, random):
    """Raise `CheckFailed` unless edges toggle nothing in rows where their x is not a number."""
    child.step(LABEL)
    with advising("such an edge toggles nothing"):
        try:
            got = answer.make_mask(VERTICES, SHAPE)
        except IndexError as error:
            raise CheckFailed(f"{LABEL}: {error}") from None
        same_mask(got, reference.mask(VERTICES, SHAPE), LABEL)
