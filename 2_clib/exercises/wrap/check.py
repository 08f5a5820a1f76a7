"""Finds out whether another thread of Python can run while the C function does."""

import numpy as np

from polymask.ladder import workload
from polymask.workshop.sandbox.wrong import Wrong

SHAPE = (256, 256)
MOST_SILENT = 0.7  # of the call's time: the GIL is held throughout


def check(answer, random):
    """Raise `Wrong` if the call keeps all other threads waiting."""
    vertices = workload.polygon(3000, SHAPE)  # so many that nearly all time is in the C function
    for _ in range(3):  # a busy machine may keep us waiting too
        share = longest_silence(*answer.inside("ticks", vertices, SHAPE))
        if share < MOST_SILENT:
            return
    raise Wrong(
        f"the masks are right, but other threads had to wait for {share:.0%} of a call: "
        "call the C function inside `with nogil:`"
    )


def longest_silence(start, end, ticks):
    """Return the longest time, as a share of the call, in which another thread could not run."""
    heard = [start, *(t for t in ticks if start < t < end), end]
    return float(np.diff(heard).max() / (end - start))
