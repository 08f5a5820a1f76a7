"""What the programs here share: the styles of one computation measured in turn, a line for each."""

import statistics
import time

import numba
import numpy as np

from polymask.bench import machine
from polymask.report import figures

ROUNDS = 7


def seconds(styles):
    """Return name to median seconds of a call; each style's first call, which compiles, is apart.

    `styles` is name to a function without arguments. The styles take turns, so that a machine that
    becomes slower meanwhile is slower for all of them.
    """
    samples = {name: [] for name in styles}
    for compute in styles.values():
        compute()
    for _ in range(ROUNDS):
        for name, compute in styles.items():
            start = time.perf_counter()
            compute()
            samples[name].append(time.perf_counter() - start)
    return {name: statistics.median(found) for name, found in samples.items()}


def table(headings, rows):
    """Print rows of texts below their headings, all columns but the first to the right."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        first, *others = (text.rjust(width) for text, width in zip(row, widths, strict=True))
        print("   ".join([row[0].ljust(len(first)), *others]))


def written(found):
    """Write the seconds of all styles, with their units."""
    return [figures.seconds(value) for value in found.values()]


def where():
    """Say on what it was measured, and how."""
    threads = figures.count(numba.get_num_threads(), "thread")
    return (
        f"Medians of {ROUNDS} calls, on {machine.cpu_model()}, {threads} for Numba's prange, "
        f"NumPy {np.__version__}, Numba {numba.__version__}."
    )
