"""The measurement: each contender in its own process, in turns, and its pixels beside the first's.

An image is compared chunk by chunk, so that no process needs the memory of a whole one.
"""

import shutil
import tempfile
from itertools import product
from pathlib import Path

import numpy as np
import zarr

from benchmarks import edge_distance
from benchmarks.answering_process import Failed, Missing
from benchmarks.harness.process import Process
from benchmarks.harness.record import Run, SceneRecord
from benchmarks.harness.tasks import Scene, Task, find_differences
from benchmarks.large.contenders import CONTENDERS, MISSING, TASK, windows
from benchmarks.many.scenes import octagons
from ladder.bench import machine
from polymask.common import figures

PACKAGES = ("dask", "zarr", "numcodecs", "xarray", "geopandas", "shapely", "rusterize")


def measure(size, count, chunk, *, keys=(), runs=1, patience=600.0, report=print):
    """Measure the contenders on one image; return a `Run`.

    Parameters
    ----------
    size : int
        The rows, and the columns, of the image.
    count : int
        The number of octagons.
    chunk : int
        The rows, and the columns, of a chunk of the Zarr array.
    keys : sequence of str
        Of contenders; all of them if empty.
    runs : int
        The number of processes per contender.
    patience : float
        Seconds: a process that takes longer is killed, and its contender is skipped.
    report : callable
        Takes a line of text about the progress.
    """
    polygons = octagons(count)((size, size))
    title, make = f"{count:,} octagons", lambda shape: polygons
    scene = Scene(key="octagons", title=title, shape=(size, size), make=make)
    result = f"an image of labels, int32, in a Zarr array with chunks of {chunk} x {chunk}"
    task = Task(key=TASK, result=result, scenes=(scene,))
    run = Run(machine=machine.record(), scenes=[SceneRecord.of(task, scene)])
    run.rows += [c.row(scene) for c in CONTENDERS if not keys or c.key in keys]
    with run.measured(PACKAGES):
        edges = edge_distance.samples_on(polygons, scene.shape)
        run_all(run.rows, (size, count, chunk), edges, runs, patience, report)
    for row in run.rows:
        row.summarize()
    return run


def run_all(rows, numbers, edges, runs, patience, report):
    """Run the processes of all contenders in turns; compare the image of each one's first run."""
    with tempfile.TemporaryDirectory(prefix="polymask-") as folder:
        first = None
        for number, (place, row) in product(range(runs), enumerate(rows)):
            if row.reason:
                continue
            report(f"run {number + 1} of {runs}: {row.key}")
            store = Path(folder, f"{number}-{place}")
            one_run(row, numbers, store, patience)
            if number == 0 and not row.reason:
                first = first or store
                row.differ, row.differ_off_edges = differing(store, first, edges)
            report(f"  {row.reason or figures.seconds(row.samples_s[-1])}")
            if store != first:
                shutil.rmtree(store, ignore_errors=True)


def one_run(row, numbers, folder, patience):
    """Run a contender's process, and record its time and peak, or the reason for having none."""
    worker = "benchmarks.large.worker", row.key, *numbers, str(folder)
    try:
        with Process(patience, *worker) as process:
            seconds, peak = process.ask("write")
    except (Missing, Failed) as reason:
        row.fail(reason)
        return
    row.samples_s.append(seconds)
    row.peak_bytes = max(filter(None, [row.peak_bytes, peak]), default=None)


def differing(folder, first, edges):
    """Count the pixels that differ from those of the first array: all, and those off the edges."""
    if folder == first:
        return 0, 0
    image, right = zarr.open_array(folder, mode="r"), zarr.open_array(first, mode="r")
    differ = off_edges = 0
    for rows, cols in windows(right):
        block = find_differences(labels(image, rows, cols), right[rows, cols])
        width = cols.stop - cols.start
        indices = (block // width + rows.start) * right.shape[1] + block % width + cols.start
        differ += len(indices)
        off_edges += int(np.count_nonzero(~np.isin(indices, edges)))
    return differ, off_edges


def labels(image, rows, cols):
    """Return a window of an image, whose labels count from 1."""
    block = image[rows, cols]
    if (missing := image.attrs.get(MISSING)) is not None:
        block = (block + 1) % (missing + 1)
    return block
