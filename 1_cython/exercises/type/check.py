"""Asks inside_polygon itself, point by point: the masks are to come from it."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox.check_failed import CheckFailed
from polymask.workshop.sandbox.translated import Translated, check_loop

SHAPE = (23, 31)
POINTS = 60


def check(answer, random):
    """Raise `CheckFailed` if the mask is not made of what inside_polygon says."""
    check_asked()
    if not hasattr(answer, "inside_polygon"):
        return  # it is cdef, and the yellow score finds it
    vertices = np.array(workload.polygon(9, SHAPE, random.randrange(10**6)))
    mask = reference.mask(vertices, SHAPE)
    for _ in range(POINTS):
        y, x = (random.randrange(n) for n in SHAPE)
        got = answer.inside_polygon(x, y, vertices, True)
        if bool(got) != bool(mask[y, x]):
            raise CheckFailed(
                f"the masks are right, but inside_polygon({x}, {y}, ...) says {got}: "
                "make_mask is to ask it for each pixel, and it has to know"
            )


def check_asked():
    """Raise `CheckFailed` unless make_mask asks inside_polygon, which has a loop of Cython's."""
    made = Translated()
    pixels = made.named("make_mask")
    check_loop([one for one in made.functions if one not in pixels], "inside_polygon", "the edges")
    if not any("inside_polygon" in one.body for one in made.reached("make_mask")):
        raise CheckFailed(
            "the masks are right, but not by inside_polygon, which make_mask does not call: it is "
            "to ask it for each pixel"
        )
