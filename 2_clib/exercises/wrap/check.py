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
    """Raise `CheckFailed` if C gets another number than that of the vertices."""
    if hasattr(library := ctypes.CDLL(answer.__file__), "polymask_n"):
        answer.make_mask([(0, 0), (5, 0), (0, 5)], SHAPE)
        n = ctypes.c_ssize_t.in_dll(library, "polymask_n").value
        if n not in (0, 3):
            raise CheckFailed(f"n = {n}, but the polygon has 3 vertices, each of two numbers")


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
        raise CheckFailed(
            "the built module does not contain the function of points_inside_polygon.c: add that "
            "file to the module's sources in setup.py"
        ) from None
    calls.value = with_gil.value = 0
    answer.make_mask(workload.polygon(shape=SHAPE), SHAPE)
    n = calls.value
    if not n:
        raise CheckFailed("the masks are right, but points_inside_polygon was never called")
    if with_gil.value:
        raise CheckFailed(
            "the masks are right, but the GIL was held during the C function, and no other Python "
            f"thread could run: call the C function inside `with nogil:` {concepts.GIL}"
        )
    if n > 1:
        raise CheckFailed(
            f"{n} C calls for a mask of {SHAPE[0]} rows and {SHAPE[1]} columns: the function "
            "tests many points, so pass it all of them in one call"
        )
