"""Looks at what the wrapper owns, and what it makes of a C++ exception."""

import re
import signal

from polymask.workshop.sandbox import classes, memory
from polymask.workshop.sandbox.check_failed import CheckFailed
from polymask.workshop.sandbox.translated import Translated

NOT_CAUGHT = (
    "C++ threw std::bad_alloc, and nobody caught it: the process was ended. Which word of "
    "polygon.pxd makes a Python exception of it?"
)


def check(answer, random):
    """Raise `CheckFailed` if C++ objects stay behind, or an exception of C++ ends the process."""
    classes.check_extension_type(answer, "Polygon")
    classes.check_always_made(answer, "Polygon")
    check_made_and_called(Translated())
    memory.check_owned(answer.Polygon, "an object of C++ of its own")
    memory.check_large(answer.Polygon)
    memory.check_given_back(answer.Polygon, "who deletes the C++ object?")
    thrown = "the constructor threw std::bad_alloc"
    memory.check_exhausted(answer.Polygon, thrown, {signal.SIGABRT: NOT_CAUGHT})


def check_made_and_called(made):
    """Raise `CheckFailed` unless an object of C++ is made for each polygon, and fills the masks."""
    for pattern, wanted in (
        (r"\bnew polymask::Polygon\(", "makes the object of C++: __cinit__ does it with `new`"),
        (r"(?:->|\.)fill\(", "calls fill: the loop over the pixels is to be that of C++"),
    ):
        if not any(re.search(pattern, one.body) for one in made.functions):
            raise CheckFailed(f"no function of cpp.pyx {wanted}")
