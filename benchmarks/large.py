"""Measures a label image that is written to Zarr by blocks, by polymask and other libraries.

    python -m benchmarks.large --size 40000

prints the table of README.md. Each contender writes the image in a process of its own, and keeps
its library's defaults: all cores, if it uses several. A call on a small image comes first; it
compiles functions and starts threads. Libraries that are not installed are skipped. The exit code
is 1 if `polymask.dask` differs in a pixel from a loop over windows.
"""

import sys
import tempfile
import time
from functools import partial
from itertools import product
from pathlib import Path

import click
import numpy as np
import zarr

from benchmarks.answering_process import Failed, Missing
from benchmarks.harness.process import Process, peak
from benchmarks.harness.tables import table
from benchmarks.harness.tasks import find_differences, register_in
from benchmarks.many.contenders import extent, geometries
from benchmarks.many.scenes import octagons
from polymask.common import figures

LOOP, LAZY = "polymask: loop", "polymask.dask"
MISSING = "missing"  # an attribute of the array: its codes count from 0, and this one is no polygon
SMALL = 20  # the first call has an image and polygons smaller by this factor
PATIENCE_S = 600.0  # for a process
CONTENDERS = []
contender = partial(register_in(CONTENDERS), task="large")
POSITIVE = click.IntRange(min=1)


def windows(store):
    """Yield the rows and the columns of each chunk as slices."""
    yield from product(
        *(
            [slice(first, min(first + step, size)) for first in range(0, size, step)]
            for size, step in zip(store.shape, store.chunks, strict=True)
        )
    )


def northern(polygons):
    """Return shapely's geometries with y upwards, as libraries expect that draw from the north."""
    return geometries(polygons._replace(vertices=polygons.vertices * (1.0, -1.0)))


def northern_extent(shape):
    """Return the west, south, east and north limits of an image whose row r has y = -r."""
    west, _, east, south = extent(shape)
    return west, -south, east, 0.5


@contender(LOOP, title="a loop over windows of polymask.label_mask")
def loop(polygons, store):
    """Return the loop that a user would write without `polymask.dask`."""
    import polymask

    def call():
        for rows, cols in windows(store):
            shape = rows.stop - rows.start, cols.stop - cols.start
            store[rows, cols] = polymask.label_mask(
                polygons, shape, offset=(rows.start, cols.start), dtype=store.dtype
            )

    return call


@contender(LAZY, title="polymask.dask.label_mask")
def lazy(polygons, store):
    """Return a call to `polymask.dask.label_mask` with ragged arrays."""
    import dask.array

    import polymask.dask

    def call():
        labels = polymask.dask.label_mask(
            polygons, store.shape, chunks=store.chunks, dtype=store.dtype
        )
        dask.array.store(labels, store, lock=False)

    return call


@contender("xarray-spatial", title="xrspatial.rasterize, with chunks", package="xarray-spatial")
def xarray_spatial(polygons, store):
    """Return a call to xarray-spatial, which makes a lazy image from a GeoDataFrame."""
    import dask.array
    import geopandas
    from xrspatial.rasterize import rasterize

    labels = np.arange(1, polygons.features + 1)
    frame = geopandas.GeoDataFrame({"label": labels}, geometry=northern(polygons))
    height, width = store.shape

    def call():
        sizes = {"width": width, "height": height, "max_pixels": height * width}
        place = {"bounds": northern_extent(store.shape), "chunks": store.chunks} | sizes
        image = rasterize(frame, column="label", fill=0, dtype=store.dtype, **place)
        dask.array.store(image.data, store, lock=False)

    return call


@contender("rasterix", title="rasterix.rasterize", package="rasterix")
def rasterix(polygons, store):
    """Return a call to rasterix, which makes a lazy image of codes, with its fastest engine."""
    import dask.array
    import geopandas
    import rusterize  # noqa: F401, if it is missing, that is known before the call
    import xarray
    from rasterix import assign_index
    from rasterix.rasterize import rasterize

    frame = geopandas.GeoDataFrame(geometry=northern(polygons))
    rows, cols = store.shape
    grid = xarray.DataArray(
        dask.array.zeros(store.shape, chunks=store.chunks, dtype=store.dtype),
        {"y": -np.arange(rows, dtype=float), "x": np.arange(cols, dtype=float)},
        dims=("y", "x"),
    )
    grid = assign_index(grid, x_dim="x", y_dim="y")
    store.attrs[MISSING] = polygons.features

    def call():
        image = rasterize(grid, frame, engine="rusterize")
        dask.array.store(image.data, store, lock=False)

    return call


class Worker:
    """A contender that writes an image of octagons to a folder, in its own process."""

    def __init__(self, key, size, count, chunk, folder):
        self.contender = next(entry for entry in CONTENDERS if entry.key == key)
        self.numbers, self.folder = (size, count, chunk), folder

    def write(self):
        """Write a small image, and the image; return the second call's seconds, and the peak.

        The peak is that of the whole process: interpreter, libraries, polygons and blocks.
        """
        self.write_part(SMALL, f"{self.folder}.small")
        return self.write_part(1, self.folder), peak()

    def write_part(self, part, folder):
        """Write an image that is smaller by a factor; return the seconds of the call."""
        size, count, chunk = (max(number // part, 1) for number in self.numbers)
        grid = {"shape": (size, size), "chunks": (chunk, chunk)}
        store = zarr.create_array(folder, dtype="int32", overwrite=True, **grid)
        call = self.contender.ready(octagons(count)(store.shape), store)
        start = time.perf_counter()
        call()
        return time.perf_counter() - start


def count_differing(folder, first):
    """Count the pixels that differ from those of the first array, chunk by chunk."""
    image, right = zarr.open_array(folder, mode="r"), zarr.open_array(first, mode="r")
    return sum(
        len(find_differences(labels(image, rows, cols), right[rows, cols]))
        for rows, cols in windows(right)
    )


def labels(image, rows, cols):
    """Return a window of an image, whose labels count from 1."""
    block = image[rows, cols]
    if (missing := image.attrs.get(MISSING)) is not None:
        block = (block + 1) % (missing + 1)
    return block


@click.command(help=__doc__.replace("\n\n", "\n\n\b\n", 1))
@click.option("--size", type=POSITIVE, default=40_000, show_default=True, help="Rows and columns.")
@click.option("--polygons", type=POSITIVE, default=100_000, show_default=True, help="Octagons.")
@click.option("--chunk", type=POSITIVE, default=4000, show_default=True, help="Its rows.")
def main(size, polygons, chunk):
    """Run the contenders, and print their times, peaks of memory and differing pixels."""
    rows, differing = [], {}
    with tempfile.TemporaryDirectory(prefix="polymask-") as temporary:
        first = Path(temporary, LOOP)
        for entry in CONTENDERS:
            click.echo(f"{entry.key} ...", err=True)
            folder = Path(temporary, entry.key)
            job = entry.key, size, polygons, chunk, str(folder)
            try:
                with Process(PATIENCE_S, "benchmarks.large", *job) as process:
                    seconds, nbytes = process.ask("write")
            except (Missing, Failed) as reason:
                click.echo(f"{entry.key} is skipped: {reason}")
                continue
            differing[entry.key] = count_differing(folder, first) if first.exists() else None
            texts = figures.seconds(seconds), figures.size(nbytes), str(differing[entry.key])
            rows.append((entry.key, *texts))
    click.echo(table(("", "time", "peak of memory", "differing pixels"), rows))
    sys.exit(int(differing.get(LAZY) != 0))


if __name__ == "__main__":
    main()
