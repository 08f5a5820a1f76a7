"""A cost model fitted to a sweep: the cost of a rung per call, per pixel and so on."""

from dataclasses import dataclass

import numpy as np

from ladder import registry
from ladder.cost import counts

MIN_VALUES = 4  # of a sweep


@dataclass(frozen=True)
class Fit:
    """The time of a rung: the cost of a call, and the cost of each of its `Work.terms`."""

    # Maps the name of a count to its cost in seconds, not negative; "once" is a call. It includes
    # the cost of counts that do not vary along the sweep.
    seconds: dict[str, float]
    samples: int  # the number of fitted values


def of_sweep(results):
    """Fit each rung with terms to the results, one for each value; map its key to its `Fit`.

    Rungs with fewer than four values are omitted.
    """
    with_terms = [rung for rung in registry.RUNGS if rung.work and rung.work.terms]
    fits = {rung.key: _fit(rung, results) for rung in with_terms}
    return {key: fit for key, fit in fits.items() if fit}


def _fit(rung, results):
    points, seconds = [], []
    for result in results:
        if row := result.timed.get(rung.key):
            work = result.workload
            count = counts.of(work.polygon_xy, work.shape, rung.work.last_edge_first)
            points.append([count[name] for name in rung.work.terms])
            seconds.append(row.median_s)
    if len(points) < MIN_VALUES:
        return None
    seconds = np.array(seconds)
    columns = {"once": np.ones_like(seconds)}
    for name, column in zip(rung.work.terms, np.array(points, dtype=float).T, strict=True):
        if np.ptp(column) > 0.1 * column.max():
            columns[name] = column
    # Errors are relative: a microsecond of a short time counts as a millisecond of a long one.
    matrix = np.column_stack(list(columns.values())) / seconds[:, None]
    terms = _non_negative(matrix, np.ones_like(seconds))
    return Fit(dict(zip(columns, terms.tolist(), strict=True)), len(points))


def _non_negative(matrix, target):
    """Solve least squares, dropping the most negative term until no term is negative."""
    columns = list(range(matrix.shape[1]))
    terms = np.zeros(matrix.shape[1])
    while columns:
        solution = np.linalg.lstsq(matrix[:, columns], target)[0]
        if solution.min() >= 0:
            terms[columns] = solution
            break
        columns.pop(int(solution.argmin()))
    return terms
