"""Changes what the caller owns, looks for memory that does not come back, and leaves none."""

import re
import signal

import numpy as np

from polymask.ladder import reference
from polymask.workshop.sandbox import classes, memory
from polymask.workshop.sandbox.translated import Translated
from polymask.workshop.sandbox.wrong import Wrong, same_mask

SHAPE = (12, 17)
NOT_TESTED = (
    "there was no memory: malloc returned NULL, and the vertices were copied there all the same. "
    "Test the pointer before you copy, and raise MemoryError"
)

ASKING = re.compile(r"(?<![.>])\b(malloc|calloc|realloc|aligned_alloc|PyMem_\w*[mc]alloc)\(", re.I)
GIVING = re.compile(r"(?<![.>])\b(free|PyMem_\w*Free)\(")


def check(answer, random):
    """Raise `Wrong` if the polygon owns no copy, keeps its memory, or needs what there is not."""
    classes.check_extension_type(answer, "Polygon")
    classes.check_always_made(answer, "Polygon")
    check_asked()
    vertices = np.array([(1.0, 1.0), (15.0, 2.0), (4.0, 10.0)])
    polygon = answer.Polygon(vertices)
    kept = polygon.mask(SHAPE)
    vertices[...] = 0
    same_mask(polygon.mask(SHAPE), kept, "after the caller changed the array of the vertices")
    check_two(answer, polygon, kept)
    memory.check_found(answer.Polygon)
    memory.check_given_back(answer.Polygon, "what does __dealloc__ do?")
    crashes = {signal.SIGSEGV: NOT_TESTED}
    memory.check_exhausted(answer.Polygon, "malloc returned NULL", crashes)


def check_asked():
    """Raise `Wrong` unless __cinit__ asks C for memory, and __dealloc__ gives it back."""
    made = Translated()
    if not any(ASKING.search(one.body) for one in made.reached("__cinit__")):
        raise Wrong(
            "__cinit__ of Polygon asks for no memory: the copy is to lie in memory of malloc's"
        )
    if not any(GIVING.search(one.body) for one in made.reached("__dealloc__")):
        raise Wrong(
            "a polygon asks malloc for memory, and does not give it back at its end: __dealloc__ "
            "gives it to free"
        )


def check_two(answer, first, kept):
    """Raise `Wrong` if a polygon is not what it was once there is another one."""
    vertices = np.array([(3.0, 11.0), (16.0, 7.0), (9.0, 1.0), (2.0, 2.0)])
    second = answer.Polygon(vertices)
    same_mask(first.mask(SHAPE), kept, "after another polygon was made")
    same_mask(second.mask(SHAPE), reference.mask(vertices, SHAPE), "of a second polygon")
