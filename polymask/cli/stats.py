"""`polymask stats`: statistics of an image's values within each polygon of files, as CSV."""

import csv
import functools
import io
import time
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np

import polymask
from polymask.cli import place_notes, polygons, properties
from polymask.cli.options import NUMBER
from polymask.cli.places import FILE, GIVEN_OR_STDIN, check_stdin, check_written
from polymask.cli.progress_bar import progress
from polymask.cli.terminal import wrote
from polymask.common import figures, saving, stdin_io
from polymask.files import raster_files, raster_statistics
from polymask.masks import zonal_columns


class Images(NamedTuple):
    """Files of images, and the options that say what to read of them."""

    files: tuple[Path, ...]
    bands: tuple[int, ...]
    pixels: bool
    raw: bool

    def open(self, placed):
        """Return the layers; `placed` tells whether their positions are needed."""
        options = {"placed": placed, "scaled": not self.raw}
        layers = raster_statistics.open_layers(self.files, self.bands or (1,), **options)
        for layer in layers:
            if layer.raster.is_palette:
                name = stdin_io.called(layer.file)
                click.echo(f"{name} has a palette: its values are indices, not colours", err=True)
        return layers


def image_options(command):
    """Add files of images, and the options that say what to read of them, as one `images`."""

    @click.argument("image", type=GIVEN_OR_STDIN)
    @click.option("--pixels", is_flag=True, help="Read coordinates as pixels, even on a map.")
    @click.option(
        "--band", type=click.IntRange(1), multiple=True, help="Set the band (1); repeatable."
    )
    @click.option(
        "--also",
        "others",
        type=GIVEN_OR_STDIN,
        multiple=True,
        help="Add an image of the same grid.",
    )
    @click.option("--raw", is_flag=True, help="Do not apply the scale and the offset in the file.")
    @functools.wraps(command)
    def with_images(image, others, band, pixels, raw, **rest):
        return command(images=Images((image, *others), band, pixels, raw), **rest)

    return with_images


@click.command()
@image_options
@polygons.source_options
@polygons.touched_option
@click.option(
    "--statistics",
    metavar="NAME,...",
    default="count,sum,mean,min,max",
    show_default=True,
    help="Choose statistics, such as median, quantile(q=0.9), stdev, variety, majority or frac.",
)
@click.option(
    "--weights",
    type=click.Choice(["coverage"]),
    help="Weight pixels by the fraction that a polygon covers.",
)
@click.option("--nodata", type=NUMBER, help="Also leave out pixels stored as this number.")
@click.option("--keep", metavar="PROPERTY,...", help="Write only these properties.")
@click.option("-o", "--out", type=FILE, help="Write to a .csv file instead of the terminal.")
def stats(images, source, all_touched, statistics, weights, nodata, keep, out):
    """Write statistics of an IMAGE within each polygon, such as count and mean, as CSV.

    The image is an .npy file, an .npz file of `polymask mask`, or, with rasterio, any picture or
    map file that it reads; of a large one, only windows that polygons reach are read. The
    transform, mask, nodata, scale and offset of a map are applied. --nodata adds a number to the
    nodata of the files, before scale and offset. A picture with a world file is a map, too.
    Otherwise, coordinates are pixels, y downwards, unless --bounds gives the edges of the map, and
    a picture is turned upright by its EXIF data. With a palette, pixels are indices. Polygons are
    read like those of `polymask labels`. If their coordinate reference system differs from that of
    the map, they are refused. One file may be -, standard input.

    Other statistics have the names of exactextract; unique_counts is the number of pixels of each
    distinct value. frac and unique_counts have a column for each value, such as frac_3. Columns of
    several bands or images begin with their names, such as band_2_mean.
    """
    if source.bounds and images.pixels:
        raise click.UsageError("--bounds and --pixels exclude each other")
    if weights and all_touched:
        raise click.UsageError("--weights and --all-touched exclude each other")
    if len(images.bands) > 1 and stdin_io.STDIN in images.files:
        raise click.UsageError("only one --band of standard input: save the image to a file")
    inputs = *images.files, *source.files
    if out is not None:
        check_written("--out", out, inputs, [".csv"])
    check_stdin(inputs)
    names = statistics.split(",")
    try:
        wanted = zonal_columns.request(names, weights)
    except ValueError as error:
        raise click.UsageError(f"--{error}") from None
    layers = images.open(placed=not (source.bounds or images.pixels))
    raster = layers[0].raster
    shape = raster.values.shape
    features = polygons.read(
        source, shape, images.files[0], raster.transform, raster.crs, squares=weights is not None
    )
    table = features.placed
    kept = [*table.properties] if keep is None else keep.split(",")
    kept = {name: properties.column(table, name) for name in kept}
    _refuse_taken(kept, [layer.prefix + name for layer in layers for name in wanted.columns])
    if features.transform is not None:  # like its polygons
        layers = [each._replace(raster=raster_files.north_up(each.raster)) for each in layers]
    if table.shape not in (None, shape):
        raise click.UsageError(f"the annotations are for an image of {table.shape}, not {shape}")
    options = features.sampling | {"all_touched": all_touched}
    start = time.perf_counter()
    with progress() as bar:
        bar.begin("adding up", table.polygons.features)
        bar.working(figures.count(table.polygons.features, "feature"))
        arguments = table.polygons, layers, names, weights, nodata, bar.advance
        columns, has_values = raster_statistics.compute(*arguments, **options)
    seconds = time.perf_counter() - start
    if not has_values and polymask.pixel_counts(table.polygons, shape, **options).any():
        click.echo("no pixel in a polygon has a value: all are nodata, NaN or masked", err=True)
    else:
        place_notes.print_place(features, not has_values)
    _refuse_taken(kept, columns)
    text = as_csv(kept, columns)
    if out is None:
        click.echo(text, nl=False)
        return
    saving.write(out, text.encode(errors="replace"))  # like the terminal
    rows, cols = shape
    click.echo(
        f"{figures.count(table.polygons.features, 'feature')}, {rows} x {cols} pixels: "
        f"{figures.seconds(seconds)}"
    )
    wrote(out)


def _refuse_taken(names, columns):
    """Refuse a property with the name of a column of statistics."""
    for name in names:
        if name in columns:
            raise click.UsageError(
                f"the property {name!r} has the name of a statistic: choose others with --keep"
            )


def as_csv(kept, columns):
    """Return a line for each feature: its properties and its statistics, empty if missing."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow([*kept, *columns])
    fields = [*kept.values(), *map(_as_list, columns.values())]
    for row in zip(*fields, strict=True):
        values = map(properties.as_text, row)
        lines.writerow(["" if properties.is_missing(value) else value for value in values])
    return text.getvalue()


def _as_list(column):
    """Return the values of a column; a masked integer is None."""
    if not isinstance(column, np.ndarray):
        return column
    return map(raster_statistics.without_point, column.tolist())
