"""Compacts a mask too large to be sent, and says which threads were busy."""

import numpy as np

from polymask.workshop.sandbox.usage import busy_threads

SHAPE, CALLS = (2000, 2000), 10


def busy(module):
    """Return how many compactions were wrong, and each thread's busy seconds, the longest first."""
    mask = (np.add.outer(np.arange(SHAPE[0]), np.arange(SHAPE[1])) % 3 == 0).astype(np.uint8)
    module.compact(mask)
    begun = busy_threads()
    found = [module.compact(mask) for _ in range(CALLS)]
    spent = [seconds - begun.get(thread, 0.0) for thread, seconds in busy_threads().items()]
    right = np.flatnonzero(mask)
    wrong = sum(not np.array_equal(one, right) for one in found)
    return wrong, sorted(spent, reverse=True)
