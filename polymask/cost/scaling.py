"""Speed-ups over threads: how many times as fast each rung is with more of them."""

from dataclasses import dataclass

from polymask import stats


@dataclass(frozen=True)
class Point:
    """One rung with one number of threads.

    Attributes
    ----------
    threads : int
    seconds : float
        The median.
    speedup : float
        Median over median, against the sweep's first number of threads.
    ci95 : tuple of float or None
        Its bootstrap interval; None for the first, and with fewer than five samples.
    """

    threads: int
    seconds: float
    speedup: float
    ci95: tuple[float, float] | None


def speedups(found):
    """Return key to its points, in the order of the table; rungs without a first one are left out.

    Parameters
    ----------
    found : Sweep
        A sweep over threads.

    Returns
    -------
    dict of str to list of Point
    """
    first, scaled = {}, {}
    for threads, measured in found.points:
        for row in measured.rows:
            if row.kind != "rung" or not row.ok:
                continue
            if threads == found.values[0]:
                first[row.key] = row.samples_s
            if row.key in first:
                gain = _gain(first[row.key], row.samples_s)
                point = Point(threads, row.median_s, *gain)
                scaled.setdefault(row.key, []).append(point)
    return scaled


def _gain(one, more):
    """Return the ratio of two medians, as Amdahl's law is fitted to medians, and its interval."""
    value = stats.median(one) / stats.median(more)
    if one is more or min(len(one), len(more)) < stats.ENOUGH:
        return value, None
    medians = stats.resampled_medians([one, more])
    return value, stats.percentiles(medians[:, 0] / medians[:, 1])
