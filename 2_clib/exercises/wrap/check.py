"""Test how the C function is called: how often, and with or without the GIL.

The check builds watched.c, which counts the calls, instead of the given C file.
"""

import ctypes

from ladder.registry import workload
from ladder.workshop import concepts
from ladder.workshop.sandbox import child, declared
from ladder.workshop.sandbox.check_failed import CheckFailed

SHAPE = (61, 83)


def first(answer, random):
    """Raise `CheckFailed` if C gets another number than that of the vertices, or of the points."""
    if not hasattr(library := ctypes.CDLL(answer.__file__), "polymask_n"):
        return
    answer.make_mask([(0, 0), (5, 0), (0, 5)], (4, 2))
    n, n_points = (
        ctypes.c_ssize_t.in_dll(library, f"polymask_{name}").value for name in ("n", "n_points")
    )
    if n not in (0, 3):
        raise CheckFailed(f"n = {n}, but the polygon has 3 vertices, each of two numbers")
    if n_points > 8:
        raise CheckFailed(f"n_points = {n_points}, but the mask has 8 pixels, a point for each")


def check(answer, random):
    """Raise `CheckFailed` unless the C function computes the mask while other threads may run."""
    header = child.source / "points_inside_polygon.h"
    declared.check_sizes("points_inside_polygon.pxd", header)
    library = ctypes.CDLL(answer.__file__)
    try:
        calls, with_gil = (
            ctypes.c_ssize_t.in_dll(library, f"polymask_{name}") for name in ("calls", "held")
        )
    except ValueError:
        fact = "the module does not contain points_inside_polygon.c"
        raise CheckFailed(f"{fact}: add it to the sources in setup.py") from None
    calls.value = with_gil.value = 0
    answer.make_mask(workload.polygon(shape=SHAPE), SHAPE)
    n = calls.value
    if not n:
        raise CheckFailed("the masks are right, but points_inside_polygon was never called")
    if with_gil.value:
        fact = "the masks are right, but the GIL was held during the C function"
        raise CheckFailed(f"{fact}: call it inside `with nogil:` {concepts.GIL}")
    if n > 1:
        raise CheckFailed(f"{n} C calls for a mask of {SHAPE[0]} rows: pass all points in one call")
