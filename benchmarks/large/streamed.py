"""Draws more octagons than memory holds, from a GeoParquet file, as docs/how_to/dask.md describes.

    python -m benchmarks.large.streamed FOLDER --polygons 10000000

writes FOLDER/10000000.parquet, unless it exists, and FOLDER/10000000.zarr, and prints the seconds
and the peak of memory of the drawing. Polygons are in the order of tiles, and each has its box.
"""

import itertools
import json
import time
from pathlib import Path

import click
import dask.array
import numpy as np
import pyarrow
import pyarrow.dataset
import pyarrow.parquet

import polymask
from benchmarks.large.worker import create
from benchmarks.many.scenes import octagons
from benchmarks.many.worker import peak, reset_peak
from polymask.common import figures

TILE = 1000  # rows and columns of the squares whose polygons are generated together
ROWS = 100_000  # of a row group of the file


def generate(file, count, size):
    """Write octagons at random places of an image, with labels 1, 2, ... in the order of the file.

    Parameters
    ----------
    file : Path
    count : int
        The number of octagons.
    size : int
        The rows, and the columns, of the image.
    """
    sides = -(-size // TILE)
    ends = np.linspace(0, count, sides**2 + 1).astype(int)
    schema, writer, waiting = None, None, []
    for tile, (first, stop) in enumerate(itertools.pairwise(ends)):
        polygons = octagons(stop - first, seed=tile)((TILE, TILE))
        corner = np.multiply(divmod(tile, sides), TILE)[::-1]
        waiting.append(table(polygons.vertices + corner, polygons.ring_offsets, first))
        schema = schema or waiting[0].schema
        writer = writer or pyarrow.parquet.ParquetWriter(file, schema, compression="zstd")
        if sum(map(len, waiting)) >= ROWS or stop == count:
            writer.write_table(pyarrow.concat_tables(waiting), ROWS)
            waiting = []
    writer.close()


def table(vertices, offsets, first):
    """Return a table of rings, with the columns of GeoParquet 1.1: geometry and box."""
    x, y = vertices.T.copy()
    box = [end.reduceat(axis, offsets[:-1]) for end in (np.minimum, np.maximum) for axis in (x, y)]
    points = pyarrow.StructArray.from_arrays([x, y], ["x", "y"])
    rings = pyarrow.ListArray.from_arrays(offsets.astype(np.int32), points)
    starts = np.arange(len(offsets), dtype=np.int32)
    columns = {
        "label": np.arange(first + 1, first + len(offsets), dtype=np.int32),
        "geometry": pyarrow.ListArray.from_arrays(starts, rings),
        "bbox": pyarrow.StructArray.from_arrays(
            [pyarrow.array(side) for side in box], ["xmin", "ymin", "xmax", "ymax"]
        ),
    }
    about = {
        "encoding": "polygon",
        "geometry_types": ["Polygon"],
        "crs": None,
        "covering": {"bbox": {side: ["bbox", side] for side in ("xmin", "ymin", "xmax", "ymax")}},
    }
    geo = {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": about}}
    return pyarrow.table(columns).replace_schema_metadata({"geo": json.dumps(geo)})


def lazy_labels(file, size, chunk):
    """Return the lazy label image; a block reads the row groups near it in turn."""
    (polygons,) = pyarrow.dataset.dataset(file).get_fragments()
    field = pyarrow.dataset.field

    def draw(block_info):
        (top, bottom), (left, right) = block_info[None]["array-location"]
        labels = np.zeros((bottom - top, right - left), np.int32)
        near = (field("bbox", "xmax") >= left) & (field("bbox", "xmin") < right)
        near &= (field("bbox", "ymax") >= top) & (field("bbox", "ymin") < bottom)
        for group in polygons.split_by_row_group(near):
            batch = group.to_table(columns=["label", "geometry"], filter=near)
            new = polymask.label_mask(
                batch["geometry"],
                labels.shape,
                labels=batch["label"],
                offset=(top, left),
                dtype=labels.dtype,
                threads=1,
            )
            np.copyto(labels, new, where=new > 0)
        return labels

    chunks = dask.array.core.normalize_chunks(chunk, (size, size))
    meta = np.empty((0, 0), np.int32)
    return dask.array.map_blocks(draw, chunks=chunks, dtype=np.int32, meta=meta)


@click.command(help=__doc__.replace("\n\n", "\n\n\b\n", 1))
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--polygons", type=click.IntRange(min=1), default=10_000_000, show_default=True)
@click.option("--size", default=40_000, show_default=True, help="Rows and columns.")
@click.option("--chunk", default=4000, show_default=True, help="Its rows.")
def main(folder, polygons, size, chunk):
    """Generate the file, and draw it."""
    file, start = folder / f"{polygons}.parquet", time.perf_counter()
    if not file.exists():
        generate(file, polygons, size)
        click.echo(f"generated in {time.perf_counter() - start:.1f} s")
    before, start = reset_peak(), time.perf_counter()
    store = create(folder / f"{polygons}.zarr", size, chunk)
    dask.array.store(lazy_labels(file, size, chunk), store, lock=False)
    seconds = time.perf_counter() - start
    sizes = map(figures.size, (file.stat().st_size, before, peak()))
    text = "{:,} polygons, a file of {}: {}; memory {} before, at most {}"
    click.echo(text.format(polygons, next(sizes), figures.seconds(seconds), *sizes))


if __name__ == "__main__":
    main()
