"""Looks at the class from Python: what it hides, what it refuses, and that it is made use of."""

import re

import numpy as np

from polymask.workshop.sandbox import classes, memory
from polymask.workshop.sandbox.check_failed import CheckFailed
from polymask.workshop.sandbox.translated import Translated, check_loop

TRIANGLE = np.array([(0.0, 0.0), (5.0, 0.0), (0.0, 5.0)])
FILL = re.compile(r"(->|_)fill\(|n_s_fill\b")
ALIVE = "something that keeps its array alive: a memoryview does, an address alone does not"


def check(answer, random):
    """Raise `CheckFailed` if the class shows its fields, or accepts a bad polygon."""
    classes.check_extension_type(answer, "Polygon")
    classes.check_always_made(answer, "Polygon")
    polygon = answer.Polygon(TRIANGLE)
    for name in ("vertices", "n"):
        if hasattr(polygon, name):
            raise CheckFailed(f"Python sees the field {name}: without `public` only C does")
    for bad in ([(0, 0), (1, 1)], [(0, 0), (1, 1), (np.nan, 2)], [(0, 0, 0)] * 3):
        try:
            answer.Polygon(np.array(bad, float))
        except ValueError:
            continue
        raise CheckFailed(
            "Polygon accepts a bad polygon: check in __cinit__, which any caller can reach directly"
        )
    check_filled()
    memory.check_owned(answer.Polygon, ALIVE)


def check_filled():
    """Raise `CheckFailed` unless make_mask makes a Polygon, and lets it fill the mask."""
    made = Translated()
    others = made.outside("Polygon")
    if not any("Polygon" in function.body for function in others):
        raise CheckFailed(
            "no function makes a Polygon: make_mask has to, and to let it fill the mask"
        )
    check_loop(made.functions, "fill", "the pixels")
    if not any(FILL.search(function.body) for function in others):
        raise CheckFailed(
            "the masks are right, but not by Polygon: its fill is not called. The loop over the "
            "pixels is to be that of fill"
        )
