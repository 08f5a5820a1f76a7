"""Looks at what the wrapper owns, and what it makes of a C++ exception."""

import re
import signal

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import classes, memory
from polymask.workshop.sandbox.watching import Watched
from polymask.workshop.sandbox.wrong import Wrong

SHAPE, TRIANGLE = (23, 31), np.array([(0.0, 0.0), (5.0, 0.0), (0.0, 5.0)])
NOT_CAUGHT = (
    "C++ threw std::bad_alloc, and nobody caught it: the process was ended. Which word of "
    "polygon.pxd makes a Python exception of it?"
)


def check(answer, random):
    """Raise `Wrong` if C++ objects stay behind, or an exception of C++ ends the process."""
    classes.check_extension_type(answer, "Polygon")
    classes.check_always_made(answer, "Polygon")
    check_made_and_called(answer.translated())
    check_filled(answer, random)
    memory.check_owned(answer, answer.Polygon, "an object of C++ of its own")
    memory.check_found(answer, answer.Polygon)
    memory.check_given_back(answer, answer.Polygon, "who deletes the C++ object?")
    thrown = "the constructor threw std::bad_alloc"
    memory.check_exhausted(answer, answer.Polygon, thrown, {signal.SIGABRT: NOT_CAUGHT})


def check_made_and_called(made):
    """Raise `Wrong` unless an object of C++ is made for each polygon, and fills the masks."""
    for pattern, wanted in (
        (r"\bnew polymask::Polygon\(", "makes the object of C++: __cinit__ does it with `new`"),
        (r"(?:->|\.)fill\(", "calls fill: the loop over the pixels is to be that of C++"),
    ):
        if not any(re.search(pattern, one.body) for one in made.functions):
            raise Wrong(f"no function of cpp.pyx {wanted}")


def check_filled(answer, random):
    """Raise `Wrong` if the mask is right though fill is not called."""
    watched = Watched(answer)
    vertices = np.array(workload.polygon(9, SHAPE, random.randrange(10**6)))
    _, calls = watched.calls(["fill"], lambda: answer.make_mask(TRIANGLE, SHAPE))
    if calls:  # where Cython wrote the call as a statement
        left = watched.off(["fill"], lambda: answer.make_mask(vertices, SHAPE))
        if np.array_equal(left, reference.mask(vertices, SHAPE)):
            raise Wrong(
                "the masks are right, but not by C++: they are the same when fill is not called. "
                "The loop over the pixels is to be that of fill, in polygon.cpp"
            )
