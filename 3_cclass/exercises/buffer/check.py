"""Changes what the caller owns, counts the memory that does not come back, and leaves none."""

import signal

import numpy as np

from polymask.ladder import reference
from polymask.workshop.sandbox import classes, memory
from polymask.workshop.sandbox.watching import Watched
from polymask.workshop.sandbox.wrong import Wrong, same_mask

SHAPE = (12, 17)
NOT_TESTED = (
    "there was no memory: malloc returned NULL, and the vertices were copied there all the same. "
    "Test the pointer before you copy, and raise MemoryError"
)

SMALL = (3, 4, 10, 40, 100, 300)  # vertices
VERTEX = 16  # bytes


def check(answer, random):
    """Raise `Wrong` if the polygon owns no copy, keeps its memory, or needs what there is not."""
    classes.check_extension_type(answer, "Polygon")
    classes.check_always_made(answer, "Polygon")
    check_asked(answer)
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


def check_asked(answer):
    """Raise `Wrong` unless each polygon asks malloc for memory, and gives it back by free."""
    watched = Watched(answer)
    for n in SMALL:
        before = watched.memory()
        polygon = answer.Polygon(np.arange(2.0 * n).reshape(n, 2))
        asked = watched.memory()[0] - before[0]
        if not asked:
            raise Wrong(
                "__cinit__ of Polygon asks for no memory: the copy is to lie in memory of malloc's"
            )
        n_bytes = watched.memory()[2] - before[2]
        if n_bytes < VERTEX * n:
            raise Wrong(
                f"a polygon of {n} vertices asks malloc for {n_bytes} bytes, and they take "
                f"{VERTEX * n}: the copy is to lie in memory of malloc's"
            )
        del polygon
        gone = watched.memory()
        if gone[0] - before[0] > gone[1] - before[1]:
            raise Wrong(
                f"a polygon of {n} vertices asks malloc for memory, and did not give all of it "
                "back at its end: __dealloc__ gives it to free, however many they are"
            )


def check_two(answer, first, kept):
    """Raise `Wrong` if a polygon is not what it was once there is another one."""
    vertices = np.array([(3.0, 11.0), (16.0, 7.0), (9.0, 1.0), (2.0, 2.0)])
    second = answer.Polygon(vertices)
    same_mask(first.mask(SHAPE), kept, "after another polygon was made")
    same_mask(second.mask(SHAPE), reference.mask(vertices, SHAPE), "of a second polygon")
