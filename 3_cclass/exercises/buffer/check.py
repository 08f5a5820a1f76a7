"""Changes the caller's array, looks for memory that does not come back, and leaves none."""

import re
import signal

import numpy as np

from polymask.ladder import reference
from polymask.workshop.sandbox import classes, memory
from polymask.workshop.sandbox.check_failed import CheckFailed, same_mask
from polymask.workshop.sandbox.translated import Translated

SHAPE = (12, 17)
NOT_TESTED = (
    "there was no memory: malloc returned NULL, and the vertices were copied there all the same. "
    "Test the pointer before you copy, and raise MemoryError"
)
CALLS = {  # what each method has to call in C, in whatever family of functions, and why
    "__cinit__": (r"alloc\(", "asks for no memory: the copy is to lie in memory of malloc's"),
    "__dealloc__": (r"free\(", "gives no memory back: what malloc gave has to go to free"),
}


def check(answer, random):
    """Raise `CheckFailed` if the polygon owns no copy, or does not give its memory back."""
    classes.check_extension_type(answer, "Polygon")
    classes.check_always_made(answer, "Polygon")
    made = Translated()
    for name, (call, message) in CALLS.items():
        called = re.compile(rf"(?<![.>])\b(PyMem_\w*|[mcre]*|aligned_){call}", re.I)
        if not any(called.search(one.body) for one in made.reached(name)):
            raise CheckFailed(f"{name} of Polygon {message}")
    vertices = np.array([(1.0, 1.0), (15.0, 2.0), (4.0, 10.0)])
    polygon = answer.Polygon(vertices)
    kept = polygon.mask(SHAPE)
    vertices[...] = 0
    same_mask(polygon.mask(SHAPE), kept, "after the caller changed the array of the vertices")
    vertices = np.array([(3.0, 11.0), (16.0, 7.0), (9.0, 1.0), (2.0, 2.0)])
    second = answer.Polygon(vertices)
    same_mask(polygon.mask(SHAPE), kept, "after another polygon was made")
    same_mask(second.mask(SHAPE), reference.mask(vertices, SHAPE), "of a second polygon")
    memory.check_large(answer.Polygon)
    memory.check_given_back(answer.Polygon, "what does __dealloc__ do?")
    crashes = {signal.SIGSEGV: NOT_TESTED}
    memory.check_exhausted(answer.Polygon, "malloc returned NULL", crashes)
