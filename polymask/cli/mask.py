"""`polymask mask`: masks and label images of real files."""

import time

import click
import numpy as np

import polymask
from polymask.cli import polygons
from polymask.cli.images import writer
from polymask.cli.places import FILE
from polymask.cli.progress_bar import progress
from polymask.cli.terminal import wrote
from polymask.cli.workload_options import SHAPE
from polymask.report import figures


@click.command()
@polygons.inputs_argument
@click.option("--shape", type=SHAPE, required=True, help="Rows and columns, like 600x800.")
@polygons.placing_options
@polygons.reproject_option
@polygons.skip_option
@polygons.touched_option
@click.option(
    "--label", metavar="PROPERTY", help="Number the features by this property; 0 is outside."
)
@click.option(
    "-o", "--out", required=True, type=FILE, help="Write to a .npy, .png, .tif or .npz file."
)
def mask(inputs, shape, fit, bounds, reproject, skip, all_touched, label, out):
    """Make the mask of all polygons in files: GeoJSON, text or CSV with two columns, .npy.

    Where their libraries are installed, GeoPackage, FlatGeobuf, Shapefile and GeoParquet, too; - is
    standard input. In text a blank line, one of NaN, or one that begins with > ends a polygon.
    Coordinates are pixels, y downwards, unless --fit or --bounds places them as on a map. With
    --label the result is an image of labels: the property itself where all its values are
    integers above 0, else a number for each value, in order, which an .npz file keeps as `names`.
    With --bounds a .tif says where on the map it is, though not in what reference system.
    """
    write = writer("--out", out, shape, inputs, bounds)
    given, table = polygons.read(inputs, shape, fit, bounds, skip, reproject)
    count = table.polygons.features
    found, labels, names = table.polygons, [1] * count, None
    if label is not None:
        found, labels, names = polygons.labelled(table, label)
    start = time.perf_counter()
    with progress() as bar:
        bar.begin("drawing", count)
        bar.working(polygons.counted(count, "feature"))
        image = polymask.label_mask(
            found,
            shape,
            labels=labels,
            dtype=np.uint8 if label is None else None,
            center=bounds is not None,
            all_touched=all_touched,
            progress=lambda done: bar.advance(1),
        )
    seconds = time.perf_counter() - start
    click.echo(
        f"{polygons.counted(count, 'feature')}, {shape[0]} x {shape[1]} "
        f"pixels, {np.count_nonzero(image) / max(image.size, 1):.1%} inside: "
        f"{figures.seconds(seconds)}"
    )
    write(image, names)
    wrote(out)
    if not image.any():
        polygons.warn_of_nothing(given.polygons, *polygons.corners(shape, bounds))
    if names and out.suffix.lower() != ".npz":
        click.echo(f"only .npz keeps names, which are: {polygons.told(names)}")
