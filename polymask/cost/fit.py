"""A cost model fitted to a sweep: what a call costs a rung, and what a pixel and the like."""

from dataclasses import dataclass

import numpy as np

from polymask.cost import counts
from polymask.ladder import registry

FEWEST = 4  # values of a sweep


@dataclass(frozen=True)
class Fit:
    """The time of a rung: a call, and so much for each of what its `Work.terms` name."""

    # Name of a count to the seconds for one, never negative; "once" for a call. What does not vary
    # along the sweep is left in "once".
    seconds: dict[str, float]
    samples: int  # how many values it was fitted to


def of_sweep(results):
    """Fit each rung whose entry says what its time is a sum of, to results, one a value.

    Return key to `Fit`; rungs with fewer than four values are left out.
    """
    with_terms = [rung for rung in registry.RUNGS if rung.work and rung.work.terms]
    fits = {rung.key: _fit(rung, results) for rung in with_terms}
    return {key: fit for key, fit in fits.items() if fit}


def _fit(rung, results):
    points, seconds = [], []
    for measured in results:
        if row := measured.timed.get(rung.key):
            place = measured.workload
            count = counts.of(place.polygon_xy, place.shape, rung.work.last_edge_first)
            points.append([count[name] for name in rung.work.terms])
            seconds.append(row.median_s)
    if len(points) < FEWEST:
        return None
    seconds = np.array(seconds)
    columns = {"once": np.ones_like(seconds)}
    for name, column in zip(rung.work.terms, np.array(points, dtype=float).T, strict=True):
        if np.ptp(column) > 0.1 * column.max():
            columns[name] = column
    # relative errors count: a microsecond at the small end is as much as a millisecond at the other
    matrix = np.column_stack(list(columns.values())) / seconds[:, None]
    terms = _non_negative(matrix, np.ones_like(seconds))
    return Fit(dict(zip(columns, terms.tolist(), strict=True)), len(points))


def _non_negative(matrix, right):
    """Solve least squares with no negative term: drop the most negative one until none is left."""
    kept = list(range(matrix.shape[1]))
    terms = np.zeros(matrix.shape[1])
    while kept:
        found = np.linalg.lstsq(matrix[:, kept], right)[0]
        if found.min() >= 0:
            terms[kept] = found
            break
        kept.pop(int(found.argmin()))
    return terms
