"""Test the class from Python: its hidden fields, the polygons that it rejects, and its use."""

import re

import numpy as np

from ladder.workshop.sandbox import classes, memory
from ladder.workshop.sandbox.check_failed import CheckFailed
from ladder.workshop.sandbox.translated import Translated, check_loop, parts

FILL = re.compile(r"(->|_)fill\(|n_s_fill\b")
ALIVE = "an object that keeps its array alive, such as a memoryview; an address does not"


def check(answer, random):
    """Raise `CheckFailed` if the class shows its fields, or accepts a bad polygon."""
    classes.check_extension_type(answer, "Polygon")
    classes.check_always_made(answer, "Polygon")
    polygon = answer.Polygon(np.array([(0.0, 0.0), (5.0, 0.0), (0.0, 5.0)]))
    for name in ("vertices", "n"):
        if hasattr(polygon, name):
            raise CheckFailed(f"Python sees the field {name}: without `public`, only C sees it")
    for bad in ([(0, 0), (1, 1)], [(0, 0), (1, 1), (np.nan, 2)], [(0, 0, 0)] * 3):
        try:
            answer.Polygon.__new__(answer.Polygon, np.array(bad, float))  # without __init__
        except ValueError:
            continue
        raise CheckFailed("Polygon accepts a bad polygon: check in __cinit__, which always runs")
    check_filled()
    memory.check_owned(answer.Polygon, ALIVE)


def check_filled():
    """Raise `CheckFailed` unless make_mask creates a Polygon and calls its fill."""
    c_code = Translated()
    others = [each for each in c_code.functions if "Polygon" not in parts(each.name)[0]]
    if not any("Polygon" in function.body for function in others):
        raise CheckFailed("no function creates a Polygon: make_mask must, and call its fill")
    check_loop(c_code.functions, "fill", "the pixels")
    if not any(FILL.search(function.body) for function in others):
        raise CheckFailed("no function calls Polygon's fill: loop in it, and call it")
