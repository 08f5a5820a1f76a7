"""Estimates the time of an image of 10^12 pixels on many workers, from figures measured here.

    python -m benchmarks.large.plan

measures the costs in one process and the scheduler's with one worker, predicts the times of a
smaller image, and compares them with runs on one and on two workers. It prints Markdown.
"""

import tempfile
import time
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from pathlib import Path

import click
import dask.array
import numpy as np

import polymask
import polymask.dask
from benchmarks.cuda.report import table
from benchmarks.large.streamed import generate, lazy_labels
from benchmarks.large.worker import create
from benchmarks.many.scenes import octagons
from polymask.common import figures

CHUNK = 4000  # rows and columns of a block
PIXELS, POLYGONS = 10**12, 10**8
WORKERS = 1, 10, 100
NETWORK = 1.25e9  # bytes/s: 10 Gbit/s
BYTES = 8 * (16 + 1 + 1 + 3)  # of an octagon in the task graph: vertices, offset, label, index
REPEATS = 3


@dataclass(frozen=True, kw_only=True)
class Costs:
    """Measured figures, in seconds of a processor."""

    pixel: float  # to allocate, compress and write a pixel of a block
    polygon: float  # to draw an octagon, and to compress what it adds
    read: float  # to read an octagon from GeoParquet and to check it
    index: float  # to check and index an octagon in the client
    inside: float  # to compress and write a pixel of a block inside one polygon, one byte
    block: float  # of the client and the scheduler, for a block


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The terms of a job's time, in seconds; docs/how_to/dask.md has the formula."""

    client: float
    network: float
    scheduler: float
    workers: float

    @property
    def seconds(self):
        """The whole time: workers wait for the polygons, and for the scheduler."""
        return self.client + self.network + max(self.scheduler, self.workers)


def plan_mask(costs, pixels, workers):
    """Return the terms of the time of the mask of one polygon that covers the image."""
    scheduler = pixels / CHUNK**2 * costs.block
    return Plan(client=0, network=0, scheduler=scheduler, workers=pixels * costs.inside / workers)


def plan(costs, pixels, polygons, workers, *, streamed=False):
    """Return the terms of the time of a label image.

    Parameters
    ----------
    costs : Costs
    pixels, polygons, workers : int
    streamed : bool
        Whether workers read polygons from a file in batches, instead of receiving all of them.
    """
    own = costs.polygon + streamed * costs.read
    return Plan(
        client=0 if streamed else polygons * costs.index,
        network=polygons * BYTES / NETWORK * (1 if streamed else workers),
        scheduler=pixels / CHUNK**2 * costs.block,
        workers=(pixels * costs.pixel + polygons * own) / workers,
    )


def shortest(call):
    """Return the shortest processor time of some calls, which other programs hardly change."""
    seconds = []
    for _ in range(REPEATS):
        start = time.process_time()
        call()
        seconds.append(time.process_time() - start)
    return min(seconds)


def measure(folder):
    """Measure the costs in a folder; return `Costs`."""
    few, many = 1000, 20_000
    store = create(folder / "block", CHUNK, CHUNK)

    def write(polygons):
        store[:] = polymask.label_mask(polygons, store.shape, dtype="int32", threads=1)

    empty, full = (shortest(lambda n=n: write(octagons(n)(store.shape))) for n in (few, many))
    polygon = (full - empty) / (many - few)
    generate(folder / "octagons.parquet", many, CHUNK)
    lazy = lazy_labels(folder / "octagons.parquet", CHUNK, CHUNK)
    arrays = octagons(many)(store.shape)
    with dask.config.set(scheduler="synchronous"):
        read = shortest(lambda: dask.array.store(lazy, store, lock=False)) - full
    mask = create(folder / "mask", CHUNK, CHUNK, "uint8")
    corners = np.array([(-1, -1), (2, -1), (2, 2), (-1, 2)]) * CHUNK
    square = polymask.dask.polygon_mask(corners, mask.shape, chunks=CHUNK, dtype="uint8")
    with dask.config.set(scheduler="synchronous"):
        inside = shortest(lambda: dask.array.store(square, mask, lock=False))
    chunked = {"chunks": CHUNK // 10, "dtype": "int32"}
    index = shortest(lambda: polymask.dask.label_mask(arrays, store.shape, **chunked))
    return Costs(
        pixel=(empty - few * polygon) / CHUNK**2,
        polygon=polygon,
        read=max(read, 0) / many,
        index=index / many,
        inside=inside / CHUNK**2,
        block=block_seconds(),
    )


def block_seconds(few=100, many=500):
    """Return the seconds of client and scheduler, which share a process, for an empty block."""

    def write(blocks):
        image = polymask.dask.label_mask([], (blocks, 1), chunks=1, dtype="int32")
        dask.array.store(image, Sink(), lock=False)

    with cluster(1):
        write(few)
        seconds = [shortest(lambda n=n: write(n)) for n in (few, many)]
    return (seconds[1] - seconds[0]) / (many - few)


class Sink:
    """An array that keeps nothing."""

    def __setitem__(self, place, values):
        """Forget the values."""


def cluster(workers):
    """Return a client of processes with one thread each."""
    from dask.distributed import Client

    return Client(n_workers=workers, threads_per_worker=1, dashboard_address=None)


def run(folder, size, polygons, workers):
    """Write a label image; return the seconds of the busiest worker's processor, and of a clock."""
    arrays = octagons(polygons)((size, size))
    with cluster(workers) as client:
        client.wait_for_workers(workers)
        for module in ("polymask.dask", "zarr"):
            client.run(import_module, module)
        store = create(folder / "image", size, CHUNK)
        before, start = client.run(time.process_time), time.perf_counter()
        labels = polymask.dask.label_mask(arrays, store.shape, chunks=CHUNK, dtype="int32")
        dask.array.store(labels, store, lock=False)
        seconds, after = time.perf_counter() - start, client.run(time.process_time)
    return max(after[worker] - before[worker] for worker in before), seconds


def markdown(costs, measured, size, polygons):
    """Return the costs, the plans, and the comparison with the measured seconds as Markdown."""
    names = vars(costs).items()
    parts = [table(("cost", "seconds"), [(name, f"{value:.3g}") for name, value in names])]
    jobs = {
        "one": plan_mask,
        "10^8, sent to workers": lambda *job: plan(*job[:2], POLYGONS, job[2]),
        "10^8, from files": lambda *job: plan(*job[:2], POLYGONS, job[2], streamed=True),
    }
    rows = []
    for (way, job), workers in product(jobs.items(), WORKERS):
        terms = job(costs, PIXELS, workers)
        texts = map(figures.seconds, [*vars(terms).values(), terms.seconds])
        rows.append((way, str(workers), *texts))
    heads = ("polygons", "workers", "client", "network", "scheduler", "on workers", "total")
    parts.append(table(heads, rows))
    rows = []
    for workers, (busy, seconds) in measured.items():
        terms = plan(costs, size**2, polygons, workers)
        texts = map(figures.seconds, (terms.workers, busy, terms.seconds, seconds))
        rows.append((str(workers), *texts, f"{terms.workers / busy - 1:+.0%}"))
    heads = ("workers", "predicted on a worker", "measured", "total", "by the clock", "deviation")
    parts.append(table(heads, rows))
    return "\n".join(parts)


@click.command(help=__doc__.replace("\n\n", "\n\n\b\n", 1))
@click.option("--size", default=40_000, show_default=True, help="Rows and columns.")
@click.option("--polygons", default=100_000, show_default=True)
def main(size, polygons):
    """Measure, and print the plan."""
    with tempfile.TemporaryDirectory(prefix="polymask-") as name:
        folder = Path(name)
        costs = measure(folder)
        measured = {}
        for workers in (1, 2) * REPEATS:
            seconds = run(folder, size, polygons, workers)
            measured[workers] = min(seconds, measured.get(workers, seconds))
    click.echo(markdown(costs, measured, size, polygons))


if __name__ == "__main__":
    main()
