"""Looks at what the wrapper owns, and what it makes of a C++ exception."""

import os
import resource
import signal
from pathlib import Path

import numpy as np

from polymask.workshop.compare import Wrong

MANY, LARGE = 2000, 5000  # polygons, vertices: 160 MB if none is deleted
MOST_BYTES = 40e6
HUGE = 8_000_000  # vertices: their copy takes 128 MB
LEFT_BYTES = 64e6  # what may still be asked for: enough for the checks before the copy


def check(module, random):
    """Raise `Wrong` if C++ objects stay behind, or an exception of C++ ends the process."""
    large = np.random.default_rng(0).uniform(size=(LARGE, 2))
    module.Polygon(large)
    before = memory(1)
    for _ in range(MANY):
        module.Polygon(large)
    lost = memory(1) - before
    if lost > MOST_BYTES:
        raise Wrong(
            f"{MANY} polygons were made and deleted, and {lost / 1e6:.0f} MB did not come back: "
            "who deletes the C++ object?"
        )
    check_exception(module)


def check_exception(module):
    """Let the constructor throw std::bad_alloc, in a child, as it may end the process."""
    vertices = np.zeros((HUGE, 2))
    child = os.fork()
    if child == 0:
        os._exit(throw(module, vertices))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code == -signal.SIGABRT:
        raise Wrong(
            "C++ threw std::bad_alloc, and nobody caught it: the process was ended. Which word of "
            "polygon.pxd makes a Python exception of it?"
        )
    if code:
        raise Wrong(
            f"the constructor threw std::bad_alloc, and no MemoryError arrived: {ends(code)}"
        )


def throw(module, vertices):
    """Make a polygon for whose copy there is no memory; return 0 if that is a MemoryError."""
    most = int(memory(0) + LEFT_BYTES)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        module.Polygon(vertices)
    except MemoryError:
        return 0
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
        return 2
    return 1


def ends(code):
    """Say how the child ended."""
    if code < 0:
        return f"the process crashed ({signal.strsignal(-code)})"
    return "nothing was raised" if code == 1 else "something else was raised"


def memory(column):
    """Return bytes of the process: its address space (column 0), or what is resident (1)."""
    return int(Path("/proc/self/statm").read_text().split()[column]) * os.sysconf("SC_PAGE_SIZE")
