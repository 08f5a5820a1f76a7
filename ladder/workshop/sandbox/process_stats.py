"""The memory and the threads of a process, by Linux's counts, and the peak memory of a call."""

import contextlib
import os
import tracemalloc
from pathlib import Path


def memory_bytes():
    """Return the bytes of the process's address space, and those in memory; zeros if unknown."""
    try:
        pages = Path("/proc/self/statm").read_text().split()[:2]
    except OSError:  # not Linux
        return 0, 0
    return tuple(int(number) * os.sysconf("SC_PAGE_SIZE") for number in pages)


def seconds_by_thread(pid="self", waiting=False):
    """Return a dict from thread to its seconds on a core, or `waiting` for one, if known."""
    seconds = {}
    for file in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            seconds[int(file.parent.name)] = 1e-9 * int(file.read_text().split()[waiting])
    return seconds


def busy_seconds(call, calls=1):
    """Repeat a call `calls` times; return the busy seconds of each thread, the longest first."""
    before = seconds_by_thread()
    for _ in range(calls):
        call()
    spent = [seconds - before.get(thread, 0.0) for thread, seconds in seconds_by_thread().items()]
    return sorted(spent, reverse=True)


def peak_bytes(function, *arguments):
    """Return the peak memory of a call in bytes, beyond the memory in use beforehand.

    The first call is not measured, so that the measured one compiles nothing. NumPy reports its
    arrays' memory to tracemalloc. Functions compiled with Numba allocate through Python, which
    reports that, too.
    """
    function(*arguments)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        function(*arguments)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
