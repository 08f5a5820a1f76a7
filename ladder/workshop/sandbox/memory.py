"""Checks of the memory that a student's class allocates in C: ownership, leaks, failure.

Each check raises `CheckFailed`. `cls` is the answer's class, called with an array of vertices.
"""

import os
import resource
import signal

import numpy as np

from ladder.workshop.sandbox import child, process_stats
from ladder.workshop.sandbox.check_failed import CheckFailed

MANY, LARGE = 2000, 5000  # polygons, and vertices of each: 160 MB if none is freed
ALIVE, WIDE = 100, 40_000  # polygons, and vertices of each: 64 MB if each has its own
VERTEX = 16  # bytes
MOST_BYTES = 40e6
HUGE = 8_000_000  # vertices: their copy takes 128 MB
LEFT_BYTES = 64e6  # still available: enough for the checks before the copy
NO_ERROR, OTHER_ERROR = 1, 2  # exit codes of the child


def check_given_back(cls, question):
    """Raise `CheckFailed` with a `question` at its end if deleted polygons keep their memory."""
    child.step(f"making {MANY} polygons, and deleting them")
    growth = measure_leak(cls, MANY, LARGE)
    if growth > MOST_BYTES:
        fact = f"{MANY} polygons were made and deleted, but {growth / 1e6:.0f} MB were not freed"
        raise CheckFailed(fact, advice=question)


def check_exhausted(cls, what, crashes):
    """Raise `CheckFailed` unless a polygon without memory for its copy raises MemoryError.

    The message begins with `what`, the event in C or C++. `crashes` maps signals to messages about
    the mistakes that cause them.
    """
    child.step("making a polygon without enough memory")
    vertices = np.zeros((HUGE, 2))
    if (pid := os.fork()) == 0:
        os._exit(without_memory(cls, vertices))
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if -code in crashes:
        raise CheckFailed(crashes[-code])
    if code:
        ends = {NO_ERROR: "nothing was raised", OTHER_ERROR: "another exception was raised"}
        end = ends.get(code, f"the process crashed ({signal.strsignal(abs(code))})")
        raise CheckFailed(f"{what}, but no MemoryError arrived: {end}")


def check_owned(cls, need):
    """Raise `CheckFailed` if live polygons do not keep their own vertices; `need` ends it."""
    child.step(f"making {ALIVE} polygons that live at once")
    growth = measure_growth(cls, ALIVE, WIDE)
    if growth < ALIVE * WIDE * VERTEX / 2:
        fact = f"{ALIVE} polygons live at once, but take {growth / 1e6:.0f} MB for"
        vertices = f"{ALIVE * WIDE * VERTEX / 1e6:.0f} MB of vertices"
        raise CheckFailed(f"{fact} {vertices}: each needs {need}")


def measure_growth(make, number, n):
    """Return how many bytes `number` polygons take once their arrays are deleted."""
    vertices = np.random.default_rng(0).uniform(size=(n, 2))
    before = process_stats.memory_bytes()[1]
    alive = [make(vertices.copy()) for _ in range(number)]
    growth = process_stats.memory_bytes()[1] - before
    alive.clear()
    return growth


def measure_leak(make, many, large):
    """Make polygons, and delete each; return how many bytes the process has grown."""
    vertices = np.random.default_rng(0).uniform(size=(large, 2))
    make(vertices)
    before = process_stats.memory_bytes()
    for _ in range(many):
        make(vertices)
    after = process_stats.memory_bytes()  # its first part grows if the memory is never written to
    return max(after[0] - before[0], after[1] - before[1])


def without_memory(make, vertices):
    """Make a polygon without memory for its copy, or crash; return 0 if that raises MemoryError."""
    most = int(process_stats.memory_bytes()[0] + LEFT_BYTES)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        make(vertices)
    except MemoryError:
        return 0
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
        return OTHER_ERROR
    return NO_ERROR
