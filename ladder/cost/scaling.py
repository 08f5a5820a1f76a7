"""Speed-ups of the rungs with more threads."""

from dataclasses import dataclass

from ladder.common import confidence


@dataclass(frozen=True)
class Point:
    """The time of a rung with a number of threads."""

    threads: int
    seconds: float  # the median
    speedup: float  # ratio of medians, relative to the sweep's first number of threads
    ci95: tuple[float, float] | None  # by bootstrap; None for the first, or with too few samples


def rows(sweep):
    """Map each rung's key to its rows with a time, by the number of threads."""
    rungs = {}
    for threads, measured in sweep.points:
        for key, row in measured.timed.items():
            if row.kind == "rung":
                rungs.setdefault(key, {})[threads] = row
    return rungs


def speedups(sweep):
    """Map each rung's key to its points, in the order of the table, for a sweep over threads.

    Rungs without a time at the first number of threads are omitted.
    """
    first = sweep.values[0]
    return {
        key: [_point(threads, times[first], row) for threads, row in times.items()]
        for key, times in rows(sweep).items()
        if first in times
    }


def _point(threads, first, row):
    """Return the point of a row, which compares medians, as the fit of Amdahl's law does."""
    base, samples = first.samples_s, row.samples_s
    ci95 = None
    if row is not first and min(len(base), len(samples)) >= confidence.ENOUGH:
        medians = confidence.resampled_medians([base, samples])
        ci95 = confidence.percentiles(medians[:, 0] / medians[:, 1])
    return Point(threads, row.median_s, confidence.median(base) / confidence.median(samples), ci95)
