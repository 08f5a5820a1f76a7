"""`polymask stats`: statistics of an image's values within each polygon of files, as CSV."""

import csv
import io
import time

import click
import numpy as np

import polymask
from polymask.cli import polygons
from polymask.cli.options import NUMBER, bounds_option
from polymask.cli.places import FILE, GIVEN_OR_STDIN, check_stdin, check_written
from polymask.cli.progress_bar import progress
from polymask.cli.terminal import wrote
from polymask.common import saving
from polymask.geodata import raster_files
from polymask.report import figures

COLUMNS = "count", "sum", "mean", "min", "max"  # of Statistics, in its order
AT_ONCE = 50_000  # features between two updates of the progress bar


@click.command()
@click.argument("image", type=GIVEN_OR_STDIN)
@polygons.inputs_argument
@bounds_option
@polygons.choice_options
@polygons.wrap_option
@polygons.reproject_option
@polygons.skip_option
@polygons.touched_option
@click.option("--pixels", is_flag=True, help="Read coordinates as pixels, even on a map.")
@click.option("--band", type=click.IntRange(1), default=1, show_default=True, help="Set the band.")
@click.option("--raw", is_flag=True, help="Do not apply the scale and the offset in the file.")
@click.option("--nodata", type=NUMBER, help="Set the number that marks pixels without a value.")
@click.option("--keep", metavar="PROPERTY,...", help="Write only these properties.")
@click.option("-o", "--out", type=FILE, help="Write to a .csv file instead of the terminal.")
def stats(
    image,
    inputs,
    bounds,
    choice,
    wrap,
    reproject,
    skip,
    all_touched,
    pixels,
    band,
    raw,
    nodata,
    keep,
    out,
):
    """Write the count, sum, mean, min and max of an IMAGE within each polygon as CSV.

    The image is an .npy file, an .npz file of `polymask mask`, a picture, or, with rasterio, any
    file that it reads. The transform, mask, nodata, scale and offset of a map are applied. Without
    rasterio, a picture is placed by its world file. Otherwise, coordinates are pixels, y downwards,
    unless --bounds gives the edges of the map. Polygons are read like those of `polymask labels`.
    If their coordinate reference system differs from that of the map, they are refused, or
    converted with --reproject. One file may be -, standard input.
    """
    if bounds and pixels:
        raise click.UsageError("--bounds and --pixels exclude each other")
    if out is not None:
        check_written("--out", out, [image, *inputs], [".csv"])
    check_stdin((image, *inputs))
    placed = not (bounds or pixels)
    raster = raster_files.read(image, band, placed=placed, scaled=not raw)
    nodata = raster.nodata if nodata is None else nodata
    shape = raster.values.shape
    placing = shape, False, bounds, skip, reproject, (image, raster), wrap, choice
    unplaced, table = polygons.read(inputs, *placing)
    names = _names(table, keep)
    is_map = bounds is not None or raster.transform is not None
    if not is_map and table.shape not in (None, shape):
        raise click.UsageError(f"the annotations are for an image of {table.shape}, not {shape}")
    start = time.perf_counter()
    options = {"nodata": nodata, "center": is_map or table.center, "all_touched": all_touched}
    values = add_up(table.polygons, raster.values, **options)
    seconds = time.perf_counter() - start
    if not values.count.any():
        del options["nodata"]
        if polymask.pixel_counts(table.polygons, shape, **options).any():
            click.echo("no pixel in a polygon has a value: all are nodata, NaN or masked", err=True)
        else:
            ends = polygons.corners(shape, bounds, raster.transform)
            polygons.warn_of_empty_image(unplaced.polygons, *ends)
    if not raw:
        values = rescale(values, raster.scale, raster.offset)
    text = as_csv([table.properties[name] for name in names], names, values)
    if out is None:
        click.echo(text, nl=False)
        return
    saving.write(out, text.encode(errors="replace"))  # like the terminal
    rows, cols = shape
    click.echo(
        f"{figures.count(len(values.count), 'feature')}, {rows} x {cols} pixels: "
        f"{figures.seconds(seconds)}"
    )
    wrote(out)


def add_up(features, image, **options):
    """Return the statistics of all features, with a progress bar."""
    from polymask.masks.zonal import Statistics  # imports the engine

    count = features.features
    statistics = []
    with progress() as bar:
        bar.begin("adding up", count)
        bar.working(figures.count(count, "feature"))
        for first in range(0, max(count, 1), AT_ONCE):
            part = features.some(first, min(first + AT_ONCE, count))
            statistics.append(polymask.polygon_statistics(part, image, **options))
            bar.advance(part.features)
            bar.working(figures.count(count, "feature"))
    return Statistics(*map(np.concatenate, zip(*statistics, strict=True)))


def rescale(values, scale, offset):
    """Convert the statistics of an image to those of `scale` * image + `offset`.

    The result equals the statistics of the scaled image, except for the rounding of its pixels.
    """
    if (scale, offset) == (1, 0):
        return values
    low, high = values.min * scale + offset, values.max * scale + offset
    return values._replace(
        sum=values.sum * scale + values.count * offset,
        mean=values.mean * scale + offset,
        min=np.minimum(low, high),
        max=np.maximum(low, high),
    )


def _names(table, keep):
    """Return the properties to write; refuse the names of statistics."""
    names = list(table.properties) if keep is None else keep.split(",")
    for name in names:
        polygons.column(table, name)
        if name in COLUMNS:
            raise click.UsageError(
                f"the property {name!r} has the name of a statistic: choose others with --keep"
            )
    return names


def as_csv(columns, names, values):
    """Return a line for each feature: its properties and its statistics, empty if missing."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow([*names, *COLUMNS])
    columns = [
        *(map(polygons.as_text, column) for column in columns),
        *(map(_short, column.tolist()) for column in values),
    ]
    for row in zip(*columns, strict=True):
        lines.writerow(["" if polygons.is_missing(value) else value for value in row])
    return text.getvalue()


def _short(value):
    """Convert whole floats, such as 7.0 for the minimum of integers, to integers."""
    return int(value) if abs(value) < 2**53 and value == int(value) else value
