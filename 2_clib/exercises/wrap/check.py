"""Finds out how the C function is called: at all, by whom, who holds the GIL, by several threads.

A C file is built that counts, watched.c, in the place of the one that was given.
"""

import ctypes

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import child
from polymask.workshop.sandbox.wrong import Wrong, same_mask

SHAPE = (61, 83)
SHAPES = [(170, 230), (230, 170)] * 2  # of as many points, for threads that share what they do not
VERTICES = 500  # so many that the threads meet in the C function
COUNTS = ("calls", "points", "held", "outside")


def check(answer, random):
    """Raise `Wrong` unless the C function computes the mask, and others may run meanwhile."""
    before = counts(answer)
    if before is None:
        raise Wrong(
            "what setup.py built has not the points_inside_polygon of points_inside_polygon.c: "
            "that file belongs to the module's sources"
        )
    answer.make_mask(workload.polygon(shape=SHAPE), SHAPE)
    after = counts(answer)
    seen = {name: after[name] - before[name] for name in before}
    if not seen["calls"]:
        raise Wrong("the masks are right, but points_inside_polygon was never called")
    if seen["outside"]:
        raise Wrong(
            "the masks are right, but points_inside_polygon was called from outside of the module, "
            "by ctypes perhaps: declare it in points_inside_polygon.pxd, and let Cython call it"
        )
    if seen["held"]:
        raise Wrong(
            "the masks are right, but the GIL was held while C computed, and no other thread of "
            "Python could run: call the C function inside `with nogil:`"
        )
    check_threads(answer, random)
    if seen["calls"] > SHAPE[0]:
        raise Wrong(
            f"{seen['calls']} calls of C for a mask of {SHAPE[0]} rows and {SHAPE[1]} columns: the "
            "function answers for many points, so hand it all of them at once"
        )
    if seen["calls"] > 1:
        return f"{seen['calls']} calls of C for a mask: one would do, for all points"
    return ""


def check_threads(answer, random):
    """Raise `Wrong` if threads that make masks at once are in each other's way."""
    seeds = [random.randrange(10**6) for _ in SHAPES]
    calls = [
        (workload.polygon(VERTICES, shape, seed), shape)
        for shape, seed in zip(SHAPES, seeds, strict=True)
    ]
    child.step(f"making {len(calls)} masks at once, a thread of Python's each")
    for call, got in zip(calls, child.at_once(answer.make_mask, calls), strict=True):
        same_mask(got, reference.mask(*call), f"{len(calls)} masks at once, a thread each")


def counts(module):
    """Return calls, points, calls that held the GIL, and calls from outside of the module.

    None if the module has not that file.
    """
    library = ctypes.CDLL(module.__file__)
    try:
        return {name: ctypes.c_ssize_t.in_dll(library, f"polymask_{name}").value for name in COUNTS}
    except ValueError:
        return None
