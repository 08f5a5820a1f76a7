"""Changes what the caller owns, counts the memory that does not come back, and leaves none."""

import re
import signal

import numpy as np

from polymask.ladder import reference
from polymask.workshop.sandbox import classes, memory
from polymask.workshop.sandbox.wrong import Wrong, same_mask

SHAPE = (12, 17)
NOT_TESTED = (
    "there was no memory: malloc returned NULL, and the vertices were copied there all the same. "
    "Test the pointer before you copy, and raise MemoryError"
)

ASKS = re.compile(r"\b(?:malloc|calloc|realloc|aligned_alloc|PyMem_(?:Raw)?[MCR]\w*alloc)\(")
GIVES_BACK = re.compile(r"\b(?:free|PyMem_(?:Raw)?Free)\(")


def check(answer, random):
    """Raise `Wrong` if the polygon owns no copy, keeps its memory, or needs what there is not."""
    classes.check_extension_type(answer, "Polygon")
    classes.check_always_made(answer, "Polygon")
    check_asked(answer.translated())
    vertices = np.array([(1.0, 1.0), (15.0, 2.0), (4.0, 10.0)])
    held = answer.kept_here(vertices)
    polygon = answer.Polygon(held)
    kept = polygon.mask(SHAPE)
    answer.rewrite(held, np.zeros_like(vertices))
    same_mask(polygon.mask(SHAPE), kept, "after the caller changed the array of the vertices")
    check_two(answer, polygon, kept)
    memory.check_found(answer, answer.Polygon)
    memory.check_given_back(answer, answer.Polygon, "what does __dealloc__ do?")
    crashes = {signal.SIGSEGV: NOT_TESTED}
    memory.check_exhausted(answer, answer.Polygon, "malloc returned NULL", crashes)


def check_asked(made):
    """Raise `Wrong` unless memory is asked for in `__cinit__`, and given back in `__dealloc__`."""
    for name, pattern, wanted in (
        ("__cinit__", ASKS, "asks for no memory: the copy is to lie in memory of malloc's"),
        ("__dealloc__", GIVES_BACK, "gives nothing back: malloc's memory is given back by free"),
    ):
        if not any(pattern.search(one.body) for one in made.reached(name, "Polygon")):
            raise Wrong(f"{name} of Polygon {wanted}")


def check_two(answer, first, kept):
    """Raise `Wrong` if a polygon is not what it was once there is another one."""
    vertices = np.array([(3.0, 11.0), (16.0, 7.0), (9.0, 1.0), (2.0, 2.0)])
    second = answer.Polygon(vertices)
    same_mask(first.mask(SHAPE), kept, "after another polygon was made")
    same_mask(second.mask(SHAPE), reference.mask(vertices, SHAPE), "of a second polygon")
