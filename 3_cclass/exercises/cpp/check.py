"""Test which memory the wrapper owns, and how it converts a C++ exception."""

import re
import signal

from ladder.common.staleness import ROOT
from ladder.workshop.sandbox import classes, declared, memory
from ladder.workshop.sandbox.check_failed import CheckFailed
from ladder.workshop.sandbox.translated import Translated

NOT_CAUGHT = "C++ threw std::bad_alloc, and no code caught it: which word in polygon.pxd does that?"


def check(answer, random):
    """Raise `CheckFailed` if C++ objects are not deleted, or a C++ exception ends the process."""
    declared.check_sizes("polygon.pxd", ROOT / "csrc" / "polygon.hpp")
    classes.check_extension_type(answer, "Polygon")
    classes.check_always_made(answer, "Polygon")
    check_made_and_called(Translated())
    memory.check_owned(answer.Polygon, "a C++ object of its own")
    memory.check_given_back(answer.Polygon, "who deletes the C++ object?")
    event = "the constructor threw std::bad_alloc"
    memory.check_exhausted(answer.Polygon, event, {signal.SIGABRT: NOT_CAUGHT})


def check_made_and_called(c_code):
    """Raise `CheckFailed` unless each polygon creates a C++ object, which fills the masks."""
    for pattern, message in (
        (r"\bnew polymask::Polygon\(", "creates the C++ object: create it by `new` in __cinit__"),
        (r"(?:->|\.)fill\(", "calls fill: use the C++ loop over the pixels"),
    ):
        if not any(re.search(pattern, function.body) for function in c_code.functions):
            raise CheckFailed(f"no function of cpp.pyx {message}")
