"""Looks at the class from Python: what it hides, what it refuses, and that it is made use of."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import classes, memory
from polymask.workshop.sandbox.watching import Watched, check_loop
from polymask.workshop.sandbox.wrong import Wrong

TRIANGLE = np.array([(0.0, 0.0), (5.0, 0.0), (0.0, 5.0)])
SHAPE = (23, 31)
ALIVE = "something that keeps its array alive: a memoryview does, an address alone does not"


def check(answer, random):
    """Raise `Wrong` if the class shows its fields, or takes what is no polygon."""
    classes.check_extension_type(answer, "Polygon")
    classes.check_always_made(answer, "Polygon")
    polygon = answer.Polygon(TRIANGLE)
    for name in ("vertices", "n"):
        if hasattr(polygon, name):
            raise Wrong(f"Python sees the field {name}: without `public` only C does")
    for bad in ([(0, 0), (1, 1)], [(0, 0), (1, 1), (np.nan, 2)], [(0, 0, 0)] * 3):
        try:
            answer.Polygon(np.array(bad, float))
        except ValueError:
            continue
        raise Wrong("Polygon takes what is no polygon: whoever imports it meets __cinit__ first")
    watched = Watched(answer)
    others = watched.made.outside("Polygon")
    if not any("Polygon" in function.body for function in others):
        raise Wrong("no function makes a Polygon: make_mask has to, and to let it fill the mask")
    check_filled(answer, watched, random)
    memory.check_owned(answer, answer.Polygon, ALIVE)


def check_filled(answer, watched, random):
    """Raise `Wrong` if the mask is right though no method of Polygon does anything."""
    vertices = np.array(workload.polygon(9, SHAPE, random.randrange(10**6)))
    methods = watched.made.methods("Polygon")
    check_loop(watched.made.functions, "fill", "the pixels")
    left = watched.off(methods, lambda: answer.make_mask(vertices, SHAPE))
    if np.array_equal(left, reference.mask(vertices, SHAPE)):
        raise Wrong(
            "the masks are right, but not by Polygon: they are the same when its methods do "
            "nothing. The loop over the pixels is to be that of fill"
        )
