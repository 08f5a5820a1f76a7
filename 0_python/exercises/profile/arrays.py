"""What an array costs that is read number by number: by the clock, and in scalars made."""

import time

import numpy as np

from polymask.ladder import registry, workload
from polymask.python.tuples import inside_polygon


def slower(shape):
    """Return how many times as long as with tuples a mask takes with an array."""
    return seconds("python.scalars", shape) / seconds("python.tuples", shape)


def seconds(key, shape):
    """Return the shortest of three calls."""
    make_mask, vertices, taken = registry.get(key).load(), workload.polygon(shape=shape), []
    for _ in range(3):
        start = time.perf_counter()
        make_mask(vertices, shape)
        taken.append(time.perf_counter() - start)
    return min(taken)


class Counting(np.ndarray):
    """An array that counts the scalars which it makes."""

    made = 0

    def __getitem__(self, index):
        """Return what an array does; count it if it is a scalar."""
        found = super().__getitem__(index)
        Counting.made += isinstance(found, np.generic)
        return found


def scalars(shape):
    """Return how many NumPy scalars one pixel makes that no vertex lies on."""
    Counting.made = 0
    inside_polygon(0.25, 0.25, workload.polygon(shape=shape).view(Counting), True)
    return Counting.made
