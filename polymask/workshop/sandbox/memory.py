"""Memory that a student's class asks C for: whether it comes back, and what if there is none."""

import os
import resource
import signal
from pathlib import Path

import numpy as np

from polymask.workshop.sandbox.wrong import Wrong

MANY, LARGE = 2000, 5000  # polygons, vertices: 160 MB if none is given back
MOST_BYTES = 40e6
HUGE = 8_000_000  # vertices: their copy takes 128 MB
LEFT_BYTES = 64e6  # what may still be asked for: enough for the checks before the copy


def check_given_back(make, question):
    """Raise `Wrong` if polygons that are gone keep their memory.

    Parameters
    ----------
    make : callable
        Makes a polygon of an array of vertices.
    question : str
        What the student should ask, the end of the message.
    """
    large = np.random.default_rng(0).uniform(size=(LARGE, 2))
    make(large)
    before = used(1)
    for _ in range(MANY):
        make(large)
    lost = used(1) - before
    if lost > MOST_BYTES:
        raise Wrong(
            f"{MANY} polygons were made and deleted, and {lost / 1e6:.0f} MB did not come back: "
            f"{question}"
        )


def check_exhausted(make, what, crashes):
    """Raise `Wrong` unless a polygon for whose copy there is no memory is a MemoryError.

    Parameters
    ----------
    make : callable
        Makes a polygon of an array of vertices, which it copies. It is called in a child, as it
        may end the process.
    what : str
        What happens in C or C++ then, the begin of the message.
    crashes : dict
        Signal to the message, for signals that tell which mistake it is.
    """
    vertices = np.zeros((HUGE, 2))
    child = os.fork()
    if child == 0:
        os._exit(exhausted(make, vertices))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if -code in crashes:
        raise Wrong(crashes[-code])
    if code:
        raise Wrong(f"{what}, and no MemoryError arrived: {ends(code)}")


def exhausted(make, vertices):
    """Make a polygon for whose copy there is no memory; return 0 if that is a MemoryError."""
    most = int(used(0) + LEFT_BYTES)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        make(vertices)
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


def used(column):
    """Return bytes of the process: its address space (column 0), or what is resident (1)."""
    return int(Path("/proc/self/statm").read_text().split()[column]) * os.sysconf("SC_PAGE_SIZE")
