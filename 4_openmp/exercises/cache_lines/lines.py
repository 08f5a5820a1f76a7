"""Counters for threads: an array in which no two threads write to the same cache line."""

import numpy as np

LINE = 64  # bytes that cores exchange as a unit

# np.zeros((4, 3), np.int64) has a row of counters for each of 4 threads, without gaps. Its memory
# begins at a multiple of 64. Into how many lines does more than one thread write?
SHARED = 2
# The same for np.zeros((4, 8), np.int64), if its memory begins at 16 bytes after a multiple of 64.
SHARED_OF_8 = 3


def counters(threads, bins):
    """Return zeros, int64, (threads, bins): row t has the counters of thread t.

    No cache line has counters of two threads.
    """
    per_line = LINE // 8
    padded = -(-bins // per_line) * per_line  # whole lines
    memory = np.zeros(threads * padded + per_line, np.int64)
    start = -memory.ctypes.data % LINE // 8  # the first counter at the beginning of a line
    return memory[start : start + threads * padded].reshape(threads, padded)[:, :bins]
