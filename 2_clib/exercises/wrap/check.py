"""Test how the C function is called: how often, with or without the GIL, and by several threads.

The check builds watched.c, which counts the calls, instead of the given C file.
"""

import ctypes

from ladder.registry import workload
from ladder.workshop import concepts
from ladder.workshop.sandbox import cases, child, declared
from ladder.workshop.sandbox.check_failed import CheckFailed, same_mask

SHAPE = (61, 83)
SHAPES = [(170, 230), (230, 170)] * 2  # equal numbers of points, to reveal wrongly shared buffers
VERTICES = 500  # enough for the threads to run the C function at the same time


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
    check_threads(answer, random)
    if n > SHAPE[0]:
        raise CheckFailed(
            f"{n} C calls for a mask of {SHAPE[0]} rows and {SHAPE[1]} columns: the function "
            "tests many points, so pass it all of them in one call"
        )
    return f"{n} C calls for a mask: one call for all points is enough" if n > 1 else ""


def check_threads(answer, random):
    """Raise `CheckFailed` if threads that make masks at the same time disturb each other."""
    polygons, masks = zip(*(cases.random_mask(random, s, VERTICES) for s in SHAPES), strict=True)
    label = f"{len(masks)} masks at once, each in its own Python thread"
    child.step(f"making {label}")
    calls = list(zip(polygons, SHAPES, strict=True))
    for got, right in zip(child.at_once(answer.make_mask, calls), masks, strict=True):
        same_mask(got, right, label)
