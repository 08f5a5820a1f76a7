"""What pairs of processes say of two builds: a ratio, an interval, and a verdict.

Of two processes with the same code one is faster: where its memory lies is drawn anew for each. So
a pair of processes, not a sample, is what counts, and gives one number: the logarithm of the ratio
of its two times. If the builds do not differ, chance alone decides which time is the larger one:
the numbers lie symmetrically about 0, whatever the noise is like. That is all that Wilcoxon's
signed-rank test needs. Inverted, it gives an interval; the estimate is the median of the means of
any two numbers (Hodges and Lehmann). A disturbed pair moves neither far, where there are enough.
"""

import functools
from dataclasses import dataclass

import numpy as np

CONFIDENCE = 0.99  # that all intervals of a run hold the truth, however many there are
LEAST = 0.02  # what is smaller is called no difference: where the linker puts code can cost as much
SLOWER, FASTER, SAME = "slower", "faster", "no difference seen"


@dataclass(frozen=True)
class Estimate:
    """How many times as long one build takes, and the ends of the interval."""

    ratio: float
    low: float
    high: float

    @property
    def verdict(self):
        """Say whether the whole interval is beyond the least difference."""
        if self.low > 1 + LEAST:
            return SLOWER
        if self.high < 1 / (1 + LEAST):
            return FASTER
        return SAME

    @property
    def unseen(self):
        """The part by which it may be slower or faster all the same: 0.04 is 4 %."""
        return max(self.high, 1 / self.low) - 1


def estimate(ratios, rows):
    """Return the `Estimate` of the ratios that the pairs of processes have; None of too few.

    `rows` says how many intervals the run has: each may miss the truth so much the more rarely.
    """
    outside = _outside(len(ratios), _chance(rows))
    if outside == 0:
        return None
    logs = np.log(ratios)
    means = np.sort(np.add.outer(logs, logs)[np.triu_indices(len(logs))] / 2)
    ends = means[outside - 1], means[-outside]
    return Estimate(*(float(np.exp(log)) for log in (np.median(means), *ends)))


def enough_pairs(rows):
    """Return how many pairs let the interval pass over one that was disturbed.

    As many means lie outside of each end then as that pair has a part in.
    """
    n = 1
    while _outside(n, _chance(rows)) <= n:
        n += 1
    return n


def _chance(rows):
    """Return how often each end of each interval may be on the wrong side of the truth."""
    return (1 - CONFIDENCE) / 2 / rows


@functools.cache
def _outside(n, chance):
    """Return the place of the interval's ends among the means of any two of n, counted from 1.

    It is the number of sums of ranks that are as rarely reached from below: of ranks 1 to n, chance
    picks each or not.
    """
    chances = np.ones(1)
    for rank in range(1, n + 1):
        chances = (np.pad(chances, (0, rank)) + np.pad(chances, (rank, 0))) / 2
    return int(np.searchsorted(np.cumsum(chances), chance, side="right"))
