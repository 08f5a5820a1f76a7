"""Looks at the class from Python: what it hides, and what it refuses."""

import numpy as np

from polymask.workshop.sandbox.wrong import Wrong

TRIANGLE = np.array([(0.0, 0.0), (5.0, 0.0), (0.0, 5.0)])


def check(answer, random):
    """Raise `Wrong` if the class shows its fields, or takes what is no polygon."""
    if not hasattr(answer, "Polygon"):
        raise Wrong("there is no class Polygon")
    polygon = answer.Polygon(TRIANGLE)
    for name in ("vertices", "n"):
        if hasattr(polygon, name):
            raise Wrong(f"Python sees the field {name}: without `public` only C does")
    if hasattr(polygon, "__dict__"):
        raise Wrong("a Polygon has a __dict__: make it a cdef class")
    for bad in ([(0, 0), (1, 1)], [(0, 0), (1, 1), (np.nan, 2)], [(0, 0, 0)] * 3):
        try:
            answer.Polygon(np.array(bad, float))
        except ValueError:
            continue
        raise Wrong("Polygon takes what is no polygon: whoever imports it meets __cinit__ first")
