"""Finds out how the C function is called: how often, who holds the GIL, by several threads.

A C file is built that counts, watched.c, in the place of the one that was given.
"""

import ctypes

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import child
from polymask.workshop.sandbox.check_failed import CheckFailed, same_mask

SHAPE = (61, 83)
SHAPES = [(170, 230), (230, 170)] * 2  # of as many points, for threads that share what they do not
VERTICES = 500  # so many that the threads meet in the C function


def check(answer, random):
    """Raise `CheckFailed` unless the C function computes the mask, and others may run meanwhile."""
    library = ctypes.CDLL(answer.__file__)
    try:
        calls, held = (
            ctypes.c_ssize_t.in_dll(library, f"polymask_{name}") for name in ("calls", "held")
        )
    except ValueError:
        raise CheckFailed(
            "what setup.py built has not the points_inside_polygon of points_inside_polygon.c: "
            "that file belongs to the module's sources"
        ) from None
    calls.value = held.value = 0
    answer.make_mask(workload.polygon(shape=SHAPE), SHAPE)
    n = calls.value
    if not n:
        raise CheckFailed("the masks are right, but points_inside_polygon was never called")
    if held.value:
        raise CheckFailed(
            "the masks are right, but the GIL was held while C computed, and no other thread of "
            "Python could run: call the C function inside `with nogil:`"
        )
    check_threads(answer, random)
    if n > SHAPE[0]:
        raise CheckFailed(
            f"{n} calls of C for a mask of {SHAPE[0]} rows and {SHAPE[1]} columns: the function "
            "answers for many points, so hand it all of them at once"
        )
    return f"{n} calls of C for a mask: one would do, for all points" if n > 1 else ""


def check_threads(answer, random):
    """Raise `CheckFailed` if threads that make masks at once are in each other's way."""
    calls = [
        (workload.polygon(VERTICES, shape, random.randrange(10**6)), shape) for shape in SHAPES
    ]
    label = f"{len(calls)} masks at once, a thread of Python's each"
    child.step(f"making {label}")
    for call, got in zip(calls, child.at_once(answer.make_mask, calls), strict=True):
        same_mask(got, reference.mask(*call), label)
