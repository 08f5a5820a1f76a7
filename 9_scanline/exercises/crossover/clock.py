"""Rungs by the clock: what one takes, and where two of them meet."""

import math
import time

from polymask.ladder import registry, workload

SIDES = [round(16 * 2 ** (k / 2)) for k in range(11)]  # 16 ... 512
REPEATS = 9


def meeting(one, other):
    """Return the pixels where two rungs are seen to take the same time, or None."""
    ahead = [math.log(one(side**2) / other(side**2)) for side in SIDES]
    for k in range(1, len(SIDES)):
        if ahead[k - 1] < 0 <= ahead[k]:
            share = ahead[k - 1] / (ahead[k - 1] - ahead[k])
            return SIDES[k - 1] ** (2 * (1 - share)) * SIDES[k] ** (2 * share)
    return None


def stopwatch(key, n):
    """Return a function: pixels to seconds, the shortest of several calls."""
    make_mask = registry.get(key).load()

    def time_of(pixels):
        side = round(math.sqrt(pixels))
        vertices, taken = workload.polygon(n, (side, side)), []
        for _ in range(REPEATS):
            begun = time.perf_counter()
            make_mask(vertices, (side, side))
            taken.append(time.perf_counter() - begun)
        return min(taken)

    return time_of
