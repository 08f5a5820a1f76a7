"""How much memory of this process calls leave behind: resident pages, as the kernel counts them."""

import ctypes
import gc
import os
import statistics
from pathlib import Path

LIBC = ctypes.CDLL(None) if os.name == "posix" else None
STATM = Path("/proc/self/statm")
STRETCHES = 5
# malloc hands out no block below 32 bytes, and Python's own allocator none below 16: what loses one
# a call grows by at least as much a call.
LEAST = 16


def resident():
    """Return the bytes of this process that lie in memory, without what is kept for reuse."""
    gc.collect()
    if hasattr(LIBC, "malloc_trim"):  # glibc: else a leak would fill free pages first, unseen
        LIBC.malloc_trim(0)
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(call, calls):
    """Return how many bytes a call leaves behind: the median of some stretches of calls.

    What grows in one stretch alone, an arena that Python takes or a page that is first touched, is
    no leak: that grows in each. A tenth of the calls come before, to fill what is kept for reuse.
    Few calls lose no more than a few pages, and so many may come and go: what seems to leak is
    looked at once more, and a leak is there again.
    """
    for _ in range(calls // 10):
        call()
    found = median_growth(call, calls // STRETCHES)
    return found if found < LEAST else min(found, median_growth(call, calls // STRETCHES))


def median_growth(call, in_stretch):
    """Return the bytes that a call leaves behind in the median of the stretches."""
    grown, before = [], resident()
    for _ in range(STRETCHES):
        for _ in range(in_stretch):
            call()
        after = resident()
        grown.append(after - before)
        before = after
    return statistics.median(grown) / in_stretch
