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


def check(module, random):
    """Raise `Wrong` if the polygon owns no copy, keeps its memory, or needs what there is not."""
    vertices = np.array([(1.0, 1.0), (15.0, 2.0), (4.0, 10.0)])
    polygon = module.Polygon(vertices)
    kept = polygon.mask(SHAPE)
    vertices[:] = 0
    same_mask(polygon.mask(SHAPE), kept, "after the caller changed the array of the vertices")
    memory.check_given_back(module.Polygon, "what does __dealloc__ do?")
    memory.check_exhausted(module.Polygon, "malloc returned NULL", {signal.SIGSEGV: NOT_TESTED})
