"""`polymask mask` and `polymask labels`: masks and label images of real files."""

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
from polymask.common.error_text import quote
from polymask.report import figures


def drawing_options(command):
    """Add files of polygons, and the options that place them on an image, to a command."""
    options = (
        polygons.inputs_argument,
        click.option("--shape", type=SHAPE, required=True, help="Rows and columns, like 600x800."),
        polygons.placing_options,
        polygons.reproject_option,
        polygons.skip_option,
        polygons.touched_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


out_option = click.option(
    "-o", "--out", required=True, type=FILE, help="Write to a .npy, .png, .tif or .npz file."
)


@click.command()
@drawing_options
@click.option(
    "--label", metavar="PROPERTY", help="Number the features by this property; 0 is outside."
)
@out_option
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
    unplaced, table = polygons.read(inputs, shape, fit, bounds, skip, reproject)
    features, names = table.polygons, None
    how = {"labels": [1] * features.features, "dtype": np.uint8}
    if label is not None:
        features, labels, names = polygons.labelled(table, label)
        how = {"labels": labels}
    image, description, seconds = draw(features, shape, bounds, all_touched=all_touched, **how)
    click.echo(f"{description} pixels, {share(image)} inside: {seconds}")
    write(image, names)
    wrote(out)
    if not image.any():
        polygons.warn_of_nothing(unplaced.polygons, *polygons.corners(shape, bounds))
    if names and out.suffix.lower() != ".npz":
        click.echo(f"only .npz keeps names, which are: {polygons.listed(names)}")


@click.command()
@drawing_options
@click.option("--ids", metavar="PROPERTY", help="The labels: positive integers of the features.")
@click.option(
    "--on-top",
    type=click.Choice(["last", "first", "smallest"]),
    default="last",
    show_default=True,
    help="Which feature shows where some overlap.",
)
@out_option
def labels(inputs, shape, fit, bounds, reproject, skip, all_touched, ids, on_top, out):
    """Number the pixels of each polygon in files, from 1 on, in their order; 0 is outside.

    Files are GeoJSON, text or CSV with two columns, .npy, and where their libraries are installed
    GeoPackage, FlatGeobuf, Shapefile and GeoParquet; - is standard input. In text a blank line, one
    of NaN, or one that begins with > ends a polygon. Coordinates are pixels, y downwards, unless
    --fit or --bounds places them as on a map. Features without geometry keep their number. With
    --bounds a .tif says where on the map it is, though not in what reference system.
    """
    write = writer("--out", out, shape, inputs, bounds)
    unplaced, table = polygons.read(inputs, shape, fit, bounds, skip, reproject)
    chosen = None if ids is None else checked_ids(polygons.column(table, ids), ids)
    how = {"labels": chosen, "all_touched": all_touched, "on_top": on_top}
    image, description, seconds = draw(table.polygons, shape, bounds, **how)
    click.echo(f"{description} pixels of {image.dtype}, {share(image)} labelled: {seconds}")
    write(image)
    wrote(out)
    if not image.any():
        polygons.warn_of_nothing(unplaced.polygons, *polygons.corners(shape, bounds))


def draw(features, shape, bounds, **how):
    """Draw features with a progress bar; return the image, a description, and the time as text.

    The samples are the pixels' centres on a map, otherwise their corners.
    """
    description = polygons.counted(features.features, "feature")
    start = time.perf_counter()
    with progress() as bar:
        bar.begin("drawing", features.features)
        bar.working(description)
        how |= {"center": bounds is not None, "progress": lambda done: bar.advance(1)}
        image = polymask.label_mask(features, shape, **how)
    seconds = figures.seconds(time.perf_counter() - start)
    return image, f"{description}, {shape[0]} x {shape[1]}", seconds


def share(image):
    """Return the share of an image that is not 0, as text."""
    return f"{np.count_nonzero(image) / max(image.size, 1):.1%}"


def checked_ids(values, name):
    """Return the values of a property, all of them positive integers."""
    for place, value in enumerate(values):
        if polygons.is_missing(value):
            raise click.UsageError(
                f"feature {place} has no {name!r}: give it one, or leave the feature out; "
                "`polymask mask --label` leaves out such features"
            )
        if type(value) is not int or value < 1:
            raise click.UsageError(
                f"the property {name!r} of feature {place} is {quote(value)}, not a positive "
                "integer; `polymask mask --label` numbers other values"
            )
    return values
