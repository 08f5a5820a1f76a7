"""A cost model fitted to a sweep: a rung's cost per call, per pixel and so on."""

from dataclasses import dataclass

import numpy as np

from polymask.cost import counts
from polymask.ladder import registry

FEWEST = 4  # values of a sweep


@dataclass(frozen=True)
class Fit:
    """The time of a rung: the cost of a call, and one for each of its `Work.terms`."""

    # Name of a count to its cost in seconds, not negative; "once" for a call. The cost of counts
    # that do not vary along the sweep is part of "once".
    seconds: dict[str, float]
    samples: int  # the number of fitted values


def of_sweep(results):
    """Fit each rung that has terms to the results, one for each value; return key to `Fit`.

    Rungs with fewer than four values are omitted.
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
    # relative errors: a microsecond at the small end counts as much as a millisecond at the large
    matrix = np.column_stack(list(columns.values())) / seconds[:, None]
    terms = _non_negative(matrix, np.ones_like(seconds))
    return Fit(dict(zip(columns, terms.tolist(), strict=True)), len(points))


def _non_negative(matrix, right):
    """Solve least squares, dropping the most negative term until no term is negative."""
    kept = list(range(matrix.shape[1]))
    terms = np.zeros(matrix.shape[1])
    while kept:
        solution = np.linalg.lstsq(matrix[:, kept], right)[0]
        if solution.min() >= 0:
            terms[kept] = solution
            break
        kept.pop(int(solution.argmin()))
    return terms
