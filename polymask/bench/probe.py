"""The probe: a fixed piece of work between samples, which slows down with the machine."""

import time


def seconds():
    """Seconds of a fixed serial piece of work: it slows down when something holds the core."""
    start = time.perf_counter()
    total = 0
    for i in range(10_000):
        total += i * i
    return time.perf_counter() - start
