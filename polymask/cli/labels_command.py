"""`polymask labels`: an image of labels of the polygons in files."""

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
from polymask.common.error_text import shown
from polymask.report import figures

ON_TOP = ["last", "first", "smallest"]


@click.command()
@polygons.inputs_argument
@click.option("--shape", type=SHAPE, required=True, help="Rows and columns, like 600x800.")
@polygons.placing_options
@polygons.reproject_option
@polygons.skip_option
@polygons.touched_option
@click.option("--ids", metavar="PROPERTY", help="The labels: positive integers of the features.")
@click.option(
    "--on-top",
    type=click.Choice(ON_TOP),
    default="last",
    show_default=True,
    help="Which feature shows where some overlap.",
)
@click.option(
    "-o", "--out", required=True, type=FILE, help="Write to a .npy, .png, .tif or .npz file."
)
def labels(inputs, shape, fit, bounds, reproject, skip, all_touched, ids, on_top, out):
    """Number the pixels of each polygon in files, from 1 on, in their order; 0 is outside.

    Files are GeoJSON, text or CSV with two columns, .npy, and where their libraries are installed
    GeoPackage, FlatGeobuf, Shapefile and GeoParquet; - is standard input. In text a blank line, one
    of NaN, or one that begins with > ends a polygon. Coordinates are pixels, y downwards, unless
    --fit or --bounds places them as on a map. Features without geometry keep their number. With
    --bounds a .tif says where on the map it is, though not in what reference system.
    """
    write = writer("--out", out, shape, inputs, bounds)
    given, table = polygons.read(inputs, shape, fit, bounds, skip, reproject)
    chosen = None if ids is None else _checked(polygons.column(table, ids), ids)
    count = table.polygons.features
    start = time.perf_counter()
    with progress() as bar:
        bar.begin("drawing", count)
        bar.working(polygons.counted(count, "feature"))
        image = polymask.label_mask(
            table.polygons,
            shape,
            labels=chosen,
            center=bounds is not None,
            all_touched=all_touched,
            on_top=on_top,
            progress=lambda done: bar.advance(1),
        )
    seconds = time.perf_counter() - start
    click.echo(
        f"{polygons.counted(count, 'feature')}, {shape[0]} x {shape[1]} pixels of {image.dtype}, "
        f"{np.count_nonzero(image) / max(image.size, 1):.1%} labelled: {figures.seconds(seconds)}"
    )
    write(image)
    wrote(out)
    if not image.any():
        polygons.warn_of_nothing(given.polygons, *polygons.corners(shape, bounds))


def _checked(values, name):
    """Return the integers of a property."""
    for place, value in enumerate(values):
        if polygons.is_missing(value):
            raise click.UsageError(
                f"feature {place} has no {name!r}: give it one, or leave the feature out; "
                "`polymask mask --label` leaves out such features"
            )
        if type(value) is not int or value < 1:
            raise click.UsageError(
                f"the property {name!r} of feature {place} is {shown(value)}, no positive integer; "
                "`polymask mask --label` numbers other values"
            )
    return values
