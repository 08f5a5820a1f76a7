"""Changes what the caller owns, counts the memory that does not come back, and leaves none."""

import signal

import numpy as np

from polymask.workshop.sandbox import memory
from polymask.workshop.sandbox.wrong import same_mask

SHAPE = (12, 17)
NOT_TESTED = (
    "there was no memory: malloc returned NULL, and the vertices were copied there all the same. "
    "Test the pointer before you copy, and raise MemoryError"
)


def check(answer, random):
    """Raise `Wrong` if the polygon owns no copy, keeps its memory, or needs what there is not."""
    vertices = np.array([(1.0, 1.0), (15.0, 2.0), (4.0, 10.0)])
    held = answer.kept_here(vertices)
    polygon = answer.Polygon(held)
    kept = polygon.mask(SHAPE)
    answer.rewrite(held, np.zeros_like(vertices))
    same_mask(polygon.mask(SHAPE), kept, "after the caller changed the array of the vertices")
    memory.check_given_back(answer, answer.Polygon, "what does __dealloc__ do?")
    crashes = {signal.SIGSEGV: NOT_TESTED}
    memory.check_exhausted(answer, answer.Polygon, "malloc returned NULL", crashes)
