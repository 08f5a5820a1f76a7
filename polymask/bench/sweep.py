"""Curves: the same rows over image sizes, numbers of vertices or threads, and the cost model."""

import math

import numpy as np

from polymask import rungs, workload
from polymask.bench import driver, machine, result

SIZES = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192)
VERTICES = (3, 10, 32, 100, 316, 1000, 3162, 10_000)
LONGEST_RUN_S = 86_400.0  # a budget beyond a day is a slip of the finger
LONGEST_CALL_S = 1.0  # a curve ends where the next call would take longer
FITTED = "scanline.engine"  # one thread, so that its time is the sum of its work


def values(over):
    """Return the values of a sweep over "size", "vertices" or "threads"."""
    if over == "threads":
        return tuple(range(1, machine.affinity() + 1))
    return {"size": SIZES, "vertices": VERTICES}[over]


def sweep(
    over,
    keys,
    *,
    shape,
    n,
    seed,
    seconds,
    reference_line=None,
    progress=None,
    chosen=None,
    **others,
):
    """Measure rungs along a sweep.

    Parameters
    ----------
    over : {"size", "vertices", "threads"}
    keys : sequence of str or None
        Keys of the rungs; all of the registry, and the reference line, if None. For threads, those
        that have the option.
    shape : tuple of int
        Rows and columns, where the sweep is not over the size.
    n : int
        Number of vertices, where the sweep is not over it.
    seed : int
        Seed of the random polygons.
    reference_line : bool, optional
        As for `driver.measure`; never over threads, of which it has one.
    seconds : float
        How long the rounds of all values may take together.
    progress : driver.Silence or alike, optional
    chosen : sequence of int, optional
        The values, ascending; those of `values` if None.
    **others
        For `driver.measure`.

    Returns
    -------
    dict
        ``{"schema": 1, "sweep": {"over", "values", "fit"}, "results": [...]}``: a result a value,
        as `driver.measure` returns it. After Ctrl-C, what was measured by then.
    """
    chosen = tuple(chosen or values(over))
    if reference_line is None:
        reference_line = keys is None
    keys = [rung.key for rung in rungs.RUNGS] if keys is None else keys
    if over == "threads":
        reference_line = False
        keys = [key for key in keys if "threads" in rungs.get(key).options]
    found, left = [], list(keys)
    for value in chosen:
        here = (value, value) if over == "size" else shape
        count = value if over == "vertices" else n
        measured = driver.measure(
            left,
            workload.polygon(count, here, seed),
            here,
            seed=seed,
            seconds=seconds / len(chosen),
            reference_line=reference_line,
            options={key: {"threads": value} for key in left} if over == "threads" else None,
            progress=progress,
            **others,
        )
        found.append(measured)
        if measured["interrupted"]:
            break
        if over != "threads":
            left = [key for key in left if _next_call_s(measured, key, over) < LONGEST_CALL_S]
    return {
        "schema": result.SCHEMA,
        "sweep": {"over": over, "values": list(chosen[: len(found)]), "fit": fit(found)},
        "results": found,
    }


def _next_call_s(measured, key, over):
    """Guess how long a call takes at the next value: work grows as pixels times vertices."""
    row = next(row for row in measured["rows"] if row["key"] == key)
    growth = 4 if over == "size" else math.sqrt(10)
    return growth * (row["median_s"] or math.inf)


def crossings(vertices, shape):
    """Count the rows that the edges of a polygon cross: what the scanline algorithm pays for."""
    y1, y2 = vertices[:, 1], np.roll(vertices[:, 1], -1)
    first = np.clip(np.floor(np.minimum(y1, y2)) + 1, 0, shape[0])
    stop = np.clip(np.floor(np.maximum(y1, y2)) + 1, 0, shape[0])
    return int((stop - first).sum())


def fit(results):
    """Fit the cost model of the engine: seconds = call + pixel x pixels + crossing x crossings.

    Returns
    -------
    dict or None
        "call_s", "pixel_s" and "crossing_s", never negative, and "samples"; a term that does not
        vary along the sweep is left in "call_s". None with fewer than four values.
    """
    points = []
    for measured in results:
        row = next((row for row in measured["rows"] if row["key"] == FITTED), None)
        if row and row["median_s"]:
            shape, vertices = measured["workload"]["shape"], measured["workload"]["polygon_xy"]
            points.append((math.prod(shape), crossings(np.array(vertices), shape), row["median_s"]))
    if len(points) < 4:
        return None
    pixels, crossed, seconds = np.array(points, dtype=float).T
    names = ["call_s"]
    columns = [np.ones_like(seconds)]
    for name, column in (("pixel_s", pixels), ("crossing_s", crossed)):
        if np.ptp(column) > 0.1 * column.max():
            names.append(name)
            columns.append(column)
    # relative errors count: a microsecond at the small end is as much as a millisecond at the other
    matrix = np.column_stack(columns) / seconds[:, None]
    terms = _non_negative(matrix, np.ones_like(seconds))
    return {**dict(zip(names, terms.tolist(), strict=True)), "samples": len(points)}


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
