"""Statistics of pairs of processes of two builds: a ratio, an interval, and a verdict.

Two processes with the same code differ in speed, as each has a random memory layout. So the unit of
observation is a pair of processes, not a sample. A pair gives one number: the logarithm of the
ratio of its two times. If the builds do not differ, these numbers are distributed symmetrically
about 0, whatever the noise, which is all that Wilcoxon's signed-rank test assumes. Inverted, the
test gives an interval; the estimate is the median of the means of any two numbers (Hodges and
Lehmann). With enough pairs, one disturbed pair has little effect.
"""

import bisect
from dataclasses import dataclass

import numpy as np
from scipy import stats

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
    logs = np.log(ratios)
    if not len(logs) or _p_value(range(1, len(logs) + 1)) > _chance(rows):
        return None
    means = np.sort(np.add.outer(logs, logs)[np.triu_indices(len(logs))] / 2)
    between = (means[:-1] + means[1:]) / 2  # where the test has neither zeros nor ties
    outside = bisect.bisect(between, _chance(rows), key=lambda mean: _p_value(logs - mean))
    ends = means[outside], means[-1 - outside]
    return Estimate(*(float(np.exp(log)) for log in (np.median(means), *ends)))


def enough_pairs(rows):
    """Return the smallest number of pairs with which one disturbed pair cannot move the ends.

    The test then rejects even if the largest of all numbers has the other sign.
    """
    pairs = 1
    while _p_value([*range(1, pairs), -pairs]) > _chance(rows):
        pairs += 1
    return pairs


def _chance(rows):
    """Return the allowed probability that an end of an interval is on the wrong side."""
    return (1 - CONFIDENCE) / 2 / rows


def _p_value(numbers):
    """Return the probability of such large numbers, or larger ones, if 0 is their centre."""
    return stats.wilcoxon(numbers, alternative="greater", method="exact").pvalue
