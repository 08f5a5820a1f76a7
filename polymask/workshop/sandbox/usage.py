"""What Linux has counted of this process: its memory, and the time of its threads."""

import contextlib
import os
from pathlib import Path


def addresses():
    """Return how many bytes of addresses the process has; 0 if unknown."""
    return pages(0)


def resident():
    """Return how many bytes of the process are in memory; 0 if unknown."""
    return pages(1)


def pages(column):
    """Return the bytes of a column of /proc/self/statm."""
    try:
        number = int(Path("/proc/self/statm").read_text().split()[column])
    except OSError:  # not Linux
        return 0
    return number * os.sysconf("SC_PAGE_SIZE")


def busy_threads():
    """Return thread to the seconds that it has been on a core; empty where that is unknown."""
    found = {}
    for folder in Path("/proc/self/task").glob("*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            found[int(folder.name)] = 1e-9 * int((folder / "schedstat").read_text().split()[0])
    return found


def busy(call, calls=1):
    """Do a call so many times; return how many seconds each thread was busy, the longest first."""
    before = busy_threads()
    for _ in range(calls):
        call()
    spent = [seconds - before.get(thread, 0.0) for thread, seconds in busy_threads().items()]
    return sorted(spent, reverse=True)
