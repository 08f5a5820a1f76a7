"""Amdahl's law, fitted to a sweep over threads: t(p) = serial + parallel / p.

Some work cannot be shared and takes its time whatever the number of threads; the rest is divided
among them. Two counts of threads fix both terms, and cannot contradict the law; from three on, the
fit can fail, and its deviation says how badly.
"""

from dataclasses import dataclass

import numpy as np

from polymask.common import confidence
from polymask.cost import scaling

FEWEST = 3  # counts of threads from which on the law can be wrong


@dataclass(frozen=True)
class Fit:
    """The terms of the law for one rung."""

    serial_s: float  # that no thread shares,
    parallel_s: float  # and of work that all share
    share: float  # the serial part of the time of one thread, 0 to 1
    share_ci95: tuple[float, float] | None  # by bootstrap; None where a count has too few samples
    deviation: float  # how far the farthest median lies from the law, as a part of it
    counts: tuple[int, ...]  # of threads
    exact: bool  # two counts only fix the two terms: an estimate, not a fit
    superlinear: bool  # times fall faster than threads explain: the serial term was held at zero

    def at(self, threads):
        """Return the law's seconds with so many threads."""
        return self.serial_s + self.parallel_s / threads


def fit(samples):
    """Fit the law to one rung's medians; None with fewer than two counts of threads.

    `samples` is a count of threads to the seconds of each sample. Relative deviations count, as the
    times' noise does.
    """
    counts = tuple(sorted(count for count, taken in samples.items() if len(taken)))
    if len(counts) < 2:
        return None
    medians = np.array([confidence.median(samples[count]) for count in counts])
    serial, parallel, free = map(float, _terms(counts, medians))
    law = serial + parallel / np.array(counts)
    interval = None
    if min(len(samples[count]) for count in counts) >= confidence.ENOUGH:
        drawn = confidence.resampled_medians([samples[count] for count in counts])
        interval = confidence.percentiles(_share(*_terms(counts, drawn)[:2]))
    return Fit(
        serial_s=serial,
        parallel_s=parallel,
        share=_share(serial, parallel),
        share_ci95=interval,
        deviation=float(np.abs(medians / law - 1).max()),
        counts=counts,
        exact=len(counts) < FEWEST,
        superlinear=free < 0,
    )


def of_sweep(found):
    """Fit each rung of a sweep over threads; return key to `Fit`."""
    rungs = scaling.rows(found).items()
    fits = {key: fit({count: row.samples_s for count, row in rows.items()}) for key, rows in rungs}
    return {key: fitted for key, fitted in fits.items() if fitted}


def _share(serial, parallel):
    return serial / (serial + parallel)


def _terms(counts, seconds):
    """Return the serial and the parallel term, none negative, and the serial one left free.

    Least squares of relative deviations, in closed form for each row of `seconds`.
    """
    a, b = 1 / seconds, 1 / (np.asarray(counts) * seconds)
    aa, ab, bb = (a * a).sum(-1), (a * b).sum(-1), (b * b).sum(-1)
    sum_a, sum_b = a.sum(-1), b.sum(-1)
    determinant = aa * bb - ab * ab
    free = (sum_a * bb - sum_b * ab) / determinant
    parallel = (sum_b * aa - sum_a * ab) / determinant
    # a term that would be negative is left out, and the other fitted alone
    only_parallel, only_serial = free < 0, parallel < 0
    serial = np.where(only_parallel, 0.0, np.where(only_serial, sum_a / aa, free))
    parallel = np.where(only_parallel, sum_b / bb, np.where(only_serial, 0.0, parallel))
    return serial, parallel, free
