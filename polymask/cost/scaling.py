"""Speed-ups over threads: how many times as fast each rung is with more of them."""

from dataclasses import dataclass

from polymask.common import confidence


@dataclass(frozen=True)
class Point:
    """One rung with one number of threads."""

    threads: int
    seconds: float  # the median
    speedup: float  # median over median, against the sweep's first number of threads
    ci95: tuple[float, float] | None  # by bootstrap; None for the first, and with too few samples


def rows(found):
    """Return key to its rows with a time, by the number of threads, of each rung of a sweep."""
    rungs = {}
    for threads, measured in found.points:
        for key, row in measured.timed.items():
            if row.kind == "rung":
                rungs.setdefault(key, {})[threads] = row
    return rungs


def speedups(found):
    """Return key to its points, in the order of the table; rungs without a first one are left out.

    `found` is a sweep over threads.
    """
    first = found.values[0]
    return {
        key: [_point(threads, taken[first], row) for threads, row in taken.items()]
        for key, taken in rows(found).items()
        if first in taken
    }


def _point(threads, first, row):
    """Compare medians, as Amdahl's law is fitted to medians."""
    one, more = first.samples_s, row.samples_s
    ci95 = None
    if row is not first and min(len(one), len(more)) >= confidence.ENOUGH:
        medians = confidence.resampled_medians([one, more])
        ci95 = confidence.percentiles(medians[:, 0] / medians[:, 1])
    return Point(threads, row.median_s, confidence.median(one) / confidence.median(more), ci95)
