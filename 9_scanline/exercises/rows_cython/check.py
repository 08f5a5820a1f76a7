"""Takes toggle away: the masks are to come from it."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox.watching import Watched, check_loop
from polymask.workshop.sandbox.wrong import Wrong

SHAPE = (23, 31)


def check(answer, random):
    """Raise `Wrong` if the mask is right though toggle does nothing, or is no loop of Cython's."""
    watched = Watched(answer)
    asked = watched.made.reached("toggle")
    vertices = np.array(workload.polygon(9, SHAPE, random.randrange(10**6)))
    left = watched.off(asked, lambda: answer.make_mask(vertices, SHAPE))
    if np.array_equal(left, reference.mask(vertices, SHAPE)):
        raise Wrong(
            "the masks are right, but not by toggle: they are the same when toggle does nothing. "
            "make_mask is to call it for each edge"
        )
    check_loop(asked, "toggle", "the rows")
