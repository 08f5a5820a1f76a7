"""Asks inside_polygon itself, point by point, and takes it away: the masks are to come from it."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox.watching import Watched, check_loop
from polymask.workshop.sandbox.wrong import Wrong

SHAPE = (23, 31)
POINTS = 60


def check(answer, random):
    """Raise `Wrong` if the mask is not made of what inside_polygon says."""
    check_asked(answer, random)
    if not hasattr(answer, "inside_polygon"):
        return  # it is cdef, and the yellow score finds it
    vertices = np.array(workload.polygon(9, SHAPE, random.randrange(10**6)))
    mask = reference.mask(vertices, SHAPE)
    for _ in range(POINTS):
        y, x = (random.randrange(n) for n in SHAPE)
        got = answer.inside_polygon(x, y, vertices, True)
        if bool(got) != bool(mask[y, x]):
            raise Wrong(
                f"the masks are right, but inside_polygon({x}, {y}, ...) says {got}: "
                "make_mask is to ask it for each pixel, and it has to know"
            )


def check_asked(answer, random):
    """Raise `Wrong` if the mask is right though inside_polygon says nothing."""
    watched = Watched(answer)
    asked = watched.made.reached("inside_polygon")
    pixels = watched.made.named("make_mask")
    others = [one for one in watched.made.functions if one not in pixels]
    check_loop(others, "inside_polygon", "the edges")
    vertices = np.array(workload.polygon(9, SHAPE, random.randrange(10**6)))
    left = watched.off(asked, lambda: answer.make_mask(vertices, SHAPE))
    if np.array_equal(left, reference.mask(vertices, SHAPE)):
        raise Wrong(
            "the masks are right, but not by inside_polygon: they are the same when it says "
            "nothing but False. make_mask is to ask it for each pixel"
        )
