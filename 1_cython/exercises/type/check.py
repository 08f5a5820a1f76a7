"""Asks inside_polygon itself, point by point: the masks are to come from it."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox.wrong import Wrong

SHAPE = (23, 31)
POINTS = 60


def check(answer, random):
    """Raise `Wrong` if inside_polygon, where Python sees it, gives another answer than the mask."""
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
