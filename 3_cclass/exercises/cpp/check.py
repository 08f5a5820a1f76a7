"""Looks at what the wrapper owns, and what it makes of a C++ exception."""

import signal

from polymask.workshop.sandbox import memory

NOT_CAUGHT = (
    "C++ threw std::bad_alloc, and nobody caught it: the process was ended. Which word of "
    "polygon.pxd makes a Python exception of it?"
)


def check(answer, random):
    """Raise `Wrong` if C++ objects stay behind, or an exception of C++ ends the process."""
    memory.check_given_back(answer, answer.Polygon, "who deletes the C++ object?")
    thrown = "the constructor threw std::bad_alloc"
    memory.check_exhausted(answer, answer.Polygon, thrown, {signal.SIGABRT: NOT_CAUGHT})
