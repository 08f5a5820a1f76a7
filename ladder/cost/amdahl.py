"""Amdahl's law, fitted to a sweep over threads: t(p) = serial + parallel / p.

Serial work takes the same time with any number of threads; parallel work is divided among them. Two
thread counts determine both terms, so they cannot contradict the law. Three or more can contradict
it, and the deviation of the fit measures by how much.
"""

from dataclasses import dataclass

import numpy as np

from ladder.common import confidence
from ladder.cost import scaling

MIN_COUNTS = 3  # thread counts that can contradict the law


@dataclass(frozen=True)
class Fit:
    """The terms of the law for one rung."""

    serial_s: float  # time of work that cannot be shared,
    parallel_s: float  # and of work that all threads share
    share: float  # the serial part of the time of one thread, 0 to 1
    share_ci95: tuple[float, float] | None  # by bootstrap; None if a count has too few samples
    deviation: float  # the largest relative deviation of a median from the law
    counts: tuple[int, ...]  # of threads
    exact: bool  # whether there are only two counts: an estimate, not a fit
    superlinear: bool  # whether the serial term was negative, and set to zero

    def at(self, threads):
        """Return the seconds that the law predicts for a number of threads."""
        return self.serial_s + self.parallel_s / threads


def fit(samples):
    """Fit the law to one rung's medians; return None for fewer than two thread counts.

    `samples` maps a thread count to the seconds of each sample. The fit minimizes relative
    deviations, because the noise is relative.
    """
    counts = tuple(sorted(count for count, times in samples.items() if len(times)))
    if len(counts) < 2:
        return None
    medians = np.array([confidence.median(samples[count]) for count in counts])
    serial, parallel, free = map(float, _terms(counts, medians))
    law = serial + parallel / np.array(counts)
    interval = None
    if min(len(samples[count]) for count in counts) >= confidence.ENOUGH:
        resampled = confidence.resampled_medians([samples[count] for count in counts])
        interval = confidence.percentiles(_share(*_terms(counts, resampled)[:2]))
    return Fit(
        serial_s=serial,
        parallel_s=parallel,
        share=_share(serial, parallel),
        share_ci95=interval,
        deviation=float(np.abs(medians / law - 1).max()),
        counts=counts,
        exact=len(counts) < MIN_COUNTS,
        superlinear=free < 0,
    )


def of_sweep(sweep):
    """Fit each rung of a sweep over threads; map its key to its `Fit`."""
    rungs = scaling.rows(sweep).items()
    fits = {key: fit({count: row.samples_s for count, row in rows.items()}) for key, rows in rungs}
    return {key: fitted for key, fitted in fits.items() if fitted}


def _share(serial, parallel):
    return serial / (serial + parallel)


def _terms(counts, seconds):
    """Return the serial and parallel terms, not negative, and the unconstrained serial term.

    They minimize the squares of relative deviations, in closed form for each row of `seconds`.
    """
    a, b = 1 / seconds, 1 / (np.asarray(counts) * seconds)
    aa, ab, bb = (a * a).sum(-1), (a * b).sum(-1), (b * b).sum(-1)
    sum_a, sum_b = a.sum(-1), b.sum(-1)
    determinant = aa * bb - ab * ab
    free = (sum_a * bb - sum_b * ab) / determinant
    parallel = (sum_b * aa - sum_a * ab) / determinant
    # A negative term is set to zero, and the other one is fitted alone.
    only_parallel, only_serial = free < 0, parallel < 0
    serial = np.where(only_parallel, 0.0, np.where(only_serial, sum_a / aa, free))
    parallel = np.where(only_parallel, sum_b / bb, np.where(only_serial, 0.0, parallel))
    return serial, parallel, free
