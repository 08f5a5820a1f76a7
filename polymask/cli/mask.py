"""`polymask mask`, `labels` and `coverage`: masks, label images and fractions of real files."""

import click
import numpy as np

from polymask.cli import polygons
from polymask.cli.image_output import output_options
from polymask.cli.options import SHAPE
from polymask.cli.terminal import wrote
from polymask.common import figures
from polymask.common.error_text import quote
from polymask.forms.ragged import take
from polymask.maps import longitudes


def drawing_options(command):
    """Add input files, and the options that place their polygons on an image, to a command."""
    options = (
        polygons.inputs_argument,
        click.option(
            "--shape", type=SHAPE, help="Set the rows and columns; annotations may contain them."
        ),
        polygons.placing_options,
        polygons.choice_options,
        polygons.wrap_option,
        polygons.reproject_option,
        polygons.skip_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@drawing_options
@polygons.touched_option
@click.option(
    "--label", metavar="PROPERTY", help="Number the features by this property; 0 is outside."
)
@output_options
def mask(inputs, shape, fit, bounds, choice, wrap, reproject, skip, all_touched, label, output):
    """Write the mask of all polygons in files: GeoJSON, COCO, .npy, or columns of text.

    GeoPackage, FlatGeobuf, Shapefile and GeoParquet are read if their libraries are installed. The
    input - is standard input. GeoJSON may have a feature per line, and all text formats may be
    compressed with gzip. In text or CSV, a blank line, a line of NaN, or a line that begins with >
    ends a polygon. Coordinates are pixels, y downwards, unless --fit or --bounds places them as on
    a map. With --label, the result is a label image: if all values of the property are integers
    above 0, they are the labels. Otherwise, the sorted values are numbered, and an .npz file stores
    them as `names`. With --bounds, a .tif stores the bounds, but no reference system.
    In annotations of COCO and labelme, and in QuPath's GeoJSON, integers are edges of pixels.
    """
    choices = {"wrap": wrap, "choice": choice}
    tables = polygons.read(inputs, shape, fit, bounds, skip, reproject, **choices)
    table = tables[1]
    shape = shape or table.shape
    features, names = table.polygons, None
    options = {"labels": [1] * features.features, "dtype": np.uint8}
    if label is not None:
        features, labels, names = polygons.label_features(table, label)
        options = {"labels": labels}
    options |= polygons.sampling(bounds, table) | {"all_touched": all_touched}
    _, nonzeros, cost = output.draw("label_mask", features, shape, names, **options)
    drawn = f"{pixels(features, shape)}, {share(nonzeros, shape)} inside: {cost}"
    report(output, drawn, nonzeros, tables, shape, bounds)
    if names and not output.stores_names:
        click.echo(f"only .npz files store names; these are {polygons.list_names(names)}")


@click.command()
@drawing_options
@polygons.touched_option
@click.option("--ids", metavar="PROPERTY", help="Use this property, integers above 0, as labels.")
@click.option(
    "--on-top",
    type=click.Choice(["last", "first", "smallest"]),
    default="last",
    show_default=True,
    help="Choose the feature to draw where features overlap.",
)
@output_options
def labels(
    inputs, shape, fit, bounds, choice, wrap, reproject, skip, all_touched, ids, on_top, output
):
    """Write a label image of the polygons in files: 1 for the first, and so on; 0 is outside.

    Files are GeoJSON, .npy, text or CSV with two columns, or, if their libraries are installed,
    GeoPackage, FlatGeobuf, Shapefile and GeoParquet. The input - is standard input. In text or CSV,
    a blank line, a line of NaN, or a line that begins with > ends a polygon. Coordinates are
    pixels, y downwards, unless --fit or --bounds places them as on a map. Features without geometry
    count, too. With --bounds, a .tif stores the bounds, but no reference system. In annotations of
    COCO and labelme, and in QuPath's GeoJSON, integers are edges of pixels.
    """
    choices = {"wrap": wrap, "choice": choice}
    tables = polygons.read(inputs, shape, fit, bounds, skip, reproject, **choices)
    table = tables[1]
    shape = shape or table.shape
    numbers = None if ids is None else checked_ids(polygons.column(table, ids), ids)
    features = table.polygons
    if wrap and on_top == "smallest":
        order = longitudes.order_by_area(tables[0].polygons)  # without the copies
        numbers = (np.arange(1, len(order) + 1) if numbers is None else np.array(numbers))[order]
        features, on_top = take(features, order), "last"
    options = {"labels": numbers, "all_touched": all_touched, "on_top": on_top}
    options |= polygons.sampling(bounds, table)
    dtype, nonzeros, cost = output.draw("label_mask", features, shape, **options)
    labelled = f"{pixels(features, shape)} of {dtype}, {share(nonzeros, shape)} labelled"
    report(output, f"{labelled}: {cost}", nonzeros, tables, shape, bounds)


@click.command()
@drawing_options
@click.option(
    "--subpixels",
    type=click.IntRange(1),
    help="Count this number of samples squared per pixel, for polygons that cross themselves.",
)
@output_options
def coverage(inputs, shape, fit, bounds, choice, wrap, reproject, skip, subpixels, output):
    """Write the fraction of each pixel that the polygons in files cover, 0 to 1, as float32.

    Files and coordinates are those of `polymask mask`. The fractions of polygons are added, and
    limited to 1, also where polygons overlap. Only .npy files, --zarr, and .tif files with --chunk
    store fractions.
    """
    if not output.stores_floats:
        raise click.UsageError("fractions are written to .npy, to --zarr, or to .tif with --chunk")
    choices = {"wrap": wrap, "choice": choice}
    tables = polygons.read(inputs, shape, fit, bounds, skip, reproject, **choices)
    table = tables[1]
    shape, features = shape or table.shape, table.polygons
    options = {"subpixels": subpixels, "center": bounds is not None or table.center}
    _, nonzeros, cost = output.draw("coverage", features, shape, **options)
    covered = f"{share(nonzeros, shape)} covered at least in part"
    drawn = f"{pixels(features, shape)}, {covered}: {cost}"
    report(output, drawn, nonzeros, tables, shape, bounds)


def report(output, drawn, nonzeros, tables, shape, bounds):
    """Print what was drawn, and where it was written; warn of polygons outside the image."""
    click.echo(drawn)
    wrote(output.path)
    polygons.warn_of_place(tables, not nonzeros, *polygons.corners(shape, bounds))


def pixels(features, shape):
    """Return the numbers of features and of pixels as text."""
    return f"{figures.count(features.features, 'feature')}, {shape[0]} x {shape[1]} pixels"


def share(nonzeros, shape):
    """Return the share of nonzero pixels as text."""
    return f"{nonzeros / max(shape[0] * shape[1], 1):.1%}"


def checked_ids(values, name):
    """Return the values of a property; refuse values other than positive integers."""
    for index, value in enumerate(values):
        if polygons.is_missing(value):
            raise click.UsageError(
                f"feature {index} has no {name!r}: give it one, or leave the feature out; "
                "`polymask mask --label` leaves out such features"
            )
        if type(value) is not int or value < 1:
            raise click.UsageError(
                f"the property {name!r} of feature {index} is {quote(value)}, not a positive "
                "integer; `polymask mask --label` numbers other values"
            )
    return values
