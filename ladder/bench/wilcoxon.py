"""Statistics of pairs of processes of two builds: a ratio, an interval, and a verdict.

Two processes with the same code differ in speed, as each has a random memory layout. So the unit of
observation is a pair of processes, not a sample. A pair gives one number: the logarithm of the
ratio of its two times. If the builds do not differ, chance alone decides which time is larger: the
numbers are distributed symmetrically about 0, whatever the noise. Wilcoxon's signed-rank test
assumes nothing else. Inverted, the test gives an interval; the estimate is the median of the means
of any two numbers (Hodges and Lehmann). With enough pairs, one disturbed pair has little effect.
"""

import functools
from dataclasses import dataclass

import numpy as np

CONFIDENCE = 0.99  # that all intervals of a run contain the true ratios, for any number of rows
LEAST = 0.02  # smaller differences do not count: the layout of code can cause them
SLOWER, FASTER, SAME = "slower", "faster", "no difference seen"


@dataclass(frozen=True)
class Estimate:
    """The ratio of the builds' times, and the ends of its interval."""

    ratio: float
    low: float
    high: float

    @property
    def verdict(self):
        """The verdict, which depends on whether the whole interval is beyond `LEAST`."""
        if self.low > 1 + LEAST:
            return SLOWER
        if self.high < 1 / (1 + LEAST):
            return FASTER
        return SAME

    @property
    def unseen(self):
        """The largest difference within the interval: 0.04 is 4 %."""
        return max(self.high, 1 / self.low) - 1


def estimate(ratios, rows):
    """Return the `Estimate` for the ratios of pairs of processes, or None with too few pairs.

    `rows` is the number of intervals in the run, which share the probability of an error.
    """
    outside = _outside(len(ratios), _chance(rows))
    if outside == 0:
        return None
    logs = np.log(ratios)
    means = np.sort(np.add.outer(logs, logs)[np.triu_indices(len(logs))] / 2)
    ends = means[outside - 1], means[-outside]
    return Estimate(*(float(np.exp(log)) for log in (np.median(means), *ends)))


def enough_pairs(rows):
    """Return the smallest number of pairs with which one disturbed pair cannot move the ends.

    Then at least as many means lie outside each end as contain that pair.
    """
    n = 1
    while _outside(n, _chance(rows)) <= n:
        n += 1
    return n


def _chance(rows):
    """Return the allowed probability that an end of an interval is on the wrong side."""
    return (1 - CONFIDENCE) / 2 / rows


@functools.cache
def _outside(n, chance):
    """Return the rank of the interval's ends among the means of any two of n, counted from 1.

    The result is the number of rank sums whose cumulative probability is at most `chance`: each of
    the ranks 1 to n is in the sum with probability 1/2.
    """
    chances = np.ones(1)
    for rank in range(1, n + 1):
        chances = (np.pad(chances, (0, rank)) + np.pad(chances, (rank, 0))) / 2
    return int(np.searchsorted(np.cumsum(chances), chance, side="right"))
