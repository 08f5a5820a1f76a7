"""The k smallest of many numbers: with NumPy's partition, and with a heap in a loop."""

from heapq import heapify, heapreplace

import numba
import numpy as np


def by_partition(values, k):
    """Return the k smallest of values, float64, ascending, 1 <= k <= len(values), with NumPy."""
    return np.sort(np.partition(values, k - 1)[:k])


@numba.njit
def by_heap(values, k):
    """Return the same in one pass, keeping at most k numbers at a time."""
    kept = [-value for value in values[:k]]  # negated: the heap's smallest element is the largest
    heapify(kept)
    for value in values[k:]:
        if value < -kept[0]:
            heapreplace(kept, -value)
    smallest = np.empty(k)
    for i in range(k):
        smallest[i] = -kept[i]
    smallest.sort()
    return smallest
