"""Functions shared by the examples: measure the styles of a computation in turn, print a table."""

import statistics
import time

import numba
import numpy as np

from ladder.bench import machine
from polymask.common import figures

ROUNDS = 7


def measure(styles):
    """Map each name to the median seconds of a call; the first call, which compiles, is not timed.

    `styles` maps names to functions without arguments. The styles take turns, so that a machine
    that slows down affects all of them alike.
    """
    samples = {name: [] for name in styles}
    for compute in styles.values():
        compute()
    for _ in range(ROUNDS):
        for name, compute in styles.items():
            start = time.perf_counter()
            compute()
            samples[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in samples.items()}


def print_table(headings, rows):
    """Print rows of texts below their headings, with all columns but the first right-aligned."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        first, *others = (text.rjust(width) for text, width in zip(row, widths, strict=True))
        print("   ".join([row[0].ljust(len(first)), *others]))


def format_times(times):
    """Return the seconds of all styles as texts with units."""
    return [figures.seconds(seconds) for seconds in times.values()]


def conditions():
    """Return a sentence about the samples, the machine and the versions."""
    threads = figures.count(numba.get_num_threads(), "thread")
    return (
        f"Medians of {ROUNDS} calls, on {machine.cpu_model()}, {threads} for Numba's prange, "
        f"NumPy {np.__version__}, Numba {numba.__version__}."
    )
