"""Counts areas of masks too large to be sent, and says which threads were busy."""

import numpy as np

from polymask.workshop.sandbox.usage import busy_threads

SHAPE, CALLS = (2000, 3000), 20


def busy(module):
    """Return how many seconds each thread was busy with areas, the longest first."""
    masks = np.ones(SHAPE, np.uint8)
    module.areas(masks)
    begun = busy_threads()
    for _ in range(CALLS):
        module.areas(masks)
    spent = [seconds - begun.get(thread, 0.0) for thread, seconds in busy_threads().items()]
    return sorted(spent, reverse=True)
