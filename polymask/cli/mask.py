"""`polymask mask`, `labels` and `coverage`: masks, label images and fractions of real files."""

import functools

import click
import numpy as np

from polymask.cli import place_notes, polygons, properties
from polymask.cli.image_output import output_options
from polymask.cli.options import SHAPE
from polymask.cli.terminal import wrote
from polymask.common import figures


def drawing_options(command):
    """Add the options of all drawing commands: the shape, the polygons, and the file to write."""

    @click.option(
        "--shape", type=SHAPE, help="Set the rows and columns; annotations may contain them."
    )
    @click.option("--fit", is_flag=True, help="Scale all polygons to fit the image, north up.")
    @polygons.source_options
    @output_options
    @functools.wraps(command)
    def with_drawing(source, fit, **others):
        if fit and source.bounds:
            raise click.UsageError("--fit and --bounds exclude each other")
        return command(source=source._replace(fit=fit), **others)

    return with_drawing


@click.command()
@drawing_options
@polygons.touched_option
def mask(source, shape, all_touched, output):
    """Write the mask of all polygons in files: GeoJSON, COCO, .npy, or columns of text.

    GeoPackage, FlatGeobuf, Shapefile and GeoParquet are read if their libraries are installed. The
    input - is standard input. GeoJSON may have a feature per line (.geojsonl). In text or CSV, a
    blank line ends a polygon. Coordinates are pixels, y downwards, unless --fit or --bounds places
    them as on a map. With --bounds, a .tif stores the bounds, but no reference system. Integers
    are centres of pixels, but edges with --center, and in files of COCO, labelme and QuPath.
    """
    features = polygons.read(source, shape)
    drawn = features.placed.polygons
    options = features.sampling | {"all_touched": all_touched, "dtype": np.uint8}
    options["labels"] = [1] * drawn.features
    result = output.draw("label_mask", drawn, features.shape, **options)
    report(output, features, result, "inside")


@click.command()
@drawing_options
@polygons.touched_option
@click.option("--label", metavar="PROPERTY", help="Number the features by this property.")
@click.option(
    "--on-top",
    type=click.Choice(["last", "first", "smallest"]),
    default="last",
    show_default=True,
    help="Choose the feature to draw where features overlap.",
)
def labels(source, shape, all_touched, label, on_top, output):
    """Write a label image of the polygons in files: 1 for the first, 0 outside.

    Files, coordinates and --bounds are those of `polymask mask`. Features without geometry count,
    too. With --label, the values of a property are the labels if all are integers above 0.
    Otherwise, the sorted values are numbered, and an .npz file stores them as `names`. Features
    without the property are left out.
    """
    if source.wrap and on_top == "smallest":
        raise click.UsageError("--wrap needs --on-top last or first: copies count in the area")
    features = polygons.read(source, shape)
    drawn, numbers, names = features.placed.polygons, None, None
    if label is not None:
        drawn, numbers, names = properties.label_features(features.placed, label)
    options = features.sampling | {"labels": numbers, "all_touched": all_touched, "on_top": on_top}
    result = output.draw("label_mask", drawn, features.shape, names, **options)
    report(output, features, result, "labelled", f" of {result.dtype}")
    if names:
        kept = "" if output.stores_names else "; only .npz files store these names"
        click.echo(f"the labels are {properties.list_labels(names)}{kept}")


@click.command()
@drawing_options
@click.option(
    "--subpixels",
    type=click.IntRange(1),
    help="Count this number of samples squared per pixel, for polygons that cross themselves.",
)
def coverage(source, shape, subpixels, output):
    """Write the fraction of each pixel that the polygons in files cover, as float32.

    Files and coordinates are those of `polymask mask`. The fractions of polygons are added, and
    limited to 1, also where polygons overlap. Files are .npy, or .tif with --chunk; a .png has 255
    levels of grey.
    """
    if not output.stores_floats:
        raise click.UsageError("fractions are written to .npy, .png, or to .tif with --chunk")
    features = polygons.read(source, shape, squares=True)
    options = {"subpixels": subpixels, "center": features.sampling["center"]}
    result = output.draw("coverage", features.placed.polygons, features.shape, **options)
    report(output, features, result, "covered at least in part")


def report(output, features, result, what, dtype=""):
    """Print what was drawn, and where it was written; note polygons outside the image.

    `result` is that of `output.draw`, and `what` a name for nonzero pixels.
    """
    rows, cols = features.shape
    count = figures.count(features.placed.polygons.features, "feature")
    share = f"{result.nonzeros / max(rows * cols, 1):.1%}"
    click.echo(f"{count}, {rows} x {cols} pixels{dtype}, {share} {what}: {result.time}")
    wrote(output.path)
    place_notes.print_place(features, not result.nonzeros)
