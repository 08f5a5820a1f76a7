"""`polymask stats`: statistics of an image's values within each polygon of files, as CSV."""

import contextlib
import itertools
import time
from functools import partial
from typing import NamedTuple

import click

import polymask
from polymask.cli import polygons
from polymask.cli.options import NUMBER, bounds_option, page_option
from polymask.cli.places import FILE, IMAGE, check_stdin, check_written
from polymask.cli.progress_bar import progress
from polymask.cli.stats_table import as_csv, refuse_taken, widen
from polymask.cli.terminal import wrote
from polymask.common import figures, saving, stdin_io
from polymask.files import raster_files
from polymask.files.raster_windows import WINDOWS
from polymask.maps import crs

BASIC = "count", "sum", "mean", "min", "max"
AT_ONCE = 50_000  # features between two updates of the progress bar


class Layer(NamedTuple):
    """A band of an image, and the prefix of its columns."""

    prefix: str
    raster: raster_files.Raster


@click.command()
@click.argument("image", type=IMAGE)
@polygons.inputs_argument
@bounds_option
@polygons.choice_options
@polygons.wrap_option
@polygons.reproject_option
@polygons.skip_option
@polygons.touched_option
@click.option("--pixels", is_flag=True, help="Read coordinates as pixels, even on a map.")
@click.option("--band", type=click.IntRange(1), multiple=True, help="Set the band (1); repeatable.")
@page_option
@click.option("--also", "others", type=IMAGE, multiple=True, help="Add an image of the same grid.")
@click.option(
    "--statistics",
    metavar="NAME,...",
    default=",".join(BASIC),
    show_default=True,
    help="Choose statistics, such as median, quantile(q=0.9), stdev, variety, majority or frac.",
)
@click.option(
    "--weights",
    type=click.Choice(["coverage"]),
    help="Weight pixels by the fraction that a polygon covers.",
)
@click.option("--raw", is_flag=True, help="Do not apply the scale and the offset in the file.")
@click.option("--nodata", type=NUMBER, help="Also leave out pixels stored as this number.")
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
    page,
    others,
    statistics,
    weights,
    raw,
    nodata,
    keep,
    out,
):
    """Write statistics of an IMAGE within each polygon as CSV: count, sum, mean, min and max.

    The image is an .npy file, an .npz file of `polymask mask`, a Zarr array of --zarr, a picture,
    or, with rasterio, any file that it reads; of a large one, only windows that polygons reach are
    read. The transform, mask, nodata, scale and offset of a map are applied. --nodata adds a number
    to the nodata of the files, before scale and offset. A picture with a world file is a map, too.
    Otherwise, coordinates are pixels, y downwards, unless --bounds gives the edges of the map, and
    a picture is turned upright by its EXIF data. With a palette, pixels are indices. Polygons are
    read like those of `polymask labels`. If their coordinate reference system differs from that of
    the map, they are refused, or converted with --reproject. One file may be -, standard input.

    Other statistics have the names of exactextract; unique_counts is the number of pixels of each
    distinct value. frac and unique_counts have a column for each value, such as frac_3. Columns of
    several bands or images begin with their names, such as band_2_mean.
    """
    if bounds and pixels:
        raise click.UsageError("--bounds and --pixels exclude each other")
    if weights and all_touched:
        raise click.UsageError("--weights and --all-touched exclude each other")
    files = image, *others
    if out is not None:
        check_written("--out", out, [*files, *inputs], [".csv"])
    check_stdin((*files, *inputs))
    if len(band) > 1 and stdin_io.STDIN in files:
        raise click.UsageError("only one --band of standard input: save the image to a file")
    wanted = _request(statistics, weights)
    layers = _read_layers(files, band or (1,), page, not (bounds or pixels), not raw)
    raster = layers[0].raster
    shape = raster.values.shape
    placing = shape, False, bounds, skip, reproject, (image, raster), wrap, choice
    tables = polygons.read(inputs, *placing)
    table = tables[1]
    names = _names(table, keep)
    refuse_taken(names, [layer.prefix + name for layer in layers for name in wanted.columns])
    is_map = not table.center and (bounds is not None or raster.transform is not None)
    if is_map:  # like its polygons
        layers = [each._replace(raster=raster_files.north_up(each.raster)) for each in layers]
    if table.shape not in (None, shape):
        raise click.UsageError(f"the annotations are for an image of {table.shape}, not {shape}")
    start = time.perf_counter()
    options = polygons.sampling(is_map, table) | {"all_touched": all_touched}
    columns = add_up(table.polygons, layers, wanted, raw, nodata, **options)
    seconds = time.perf_counter() - start
    is_empty = not any(each["count"].any() for each in columns)
    if is_empty and polymask.pixel_counts(table.polygons, shape, **options).any():
        click.echo("no pixel in a polygon has a value: all are nodata, NaN or masked", err=True)
    else:
        transform = None if table.center else raster.transform
        polygons.warn_of_place(tables, is_empty, *polygons.corners(shape, bounds, transform))
    columns = widen(columns, layers, statistics.split(","))
    refuse_taken(names, columns)
    text = as_csv([table.properties[name] for name in names], names, columns)
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


def _request(statistics, weights):
    """Return the statistics to compute; the count is among them, and classes for their shares."""
    from polymask.masks import zonal_columns  # imports the engine

    names = statistics.split(",")
    try:
        zonal_columns.request(names, weights)
    except ValueError as error:
        raise click.UsageError(f"--{error}") from None
    needed = ["count", *(["unique"] if {"frac", "unique_counts"} & {*names} else [])]
    return zonal_columns.request([*names, *(n for n in needed if n not in names)], weights)


def _read_layers(files, bands, page, placed, scaled):
    """Open the bands of all images; refuse images on different grids."""
    layers = []
    for file, band in itertools.product(files, bands):
        raster = raster_files.read(
            file, band, page=page, placed=placed, scaled=scaled, windows=True
        )
        if raster.is_palette:
            name = stdin_io.called(file)
            click.echo(f"{name} has a palette: its values are indices, not colours", err=True)
        prefix = f"{file.stem}_" if len(files) > 1 else ""
        layers.append(Layer(prefix + (f"band_{band}_" if len(bands) > 1 else ""), raster))
        first = layers[0].raster
        if raster.transform != first.transform:
            raise ValueError(f"{file}: has another transform than {files[0]}: use gdalwarp")
        if raster.transform is not None and raster.crs and first.crs:
            crs.refuse_difference((file, raster.crs), (files[0], first.crs), "use gdalwarp")
        if raster.values.shape != first.values.shape:
            raise ValueError(
                f"{file}: its shape is {raster.values.shape}, but that of {files[0]} is "
                f"{first.values.shape}"
            )
    prefixes = [layer.prefix for layer in layers]
    if len({*prefixes}) < len(prefixes):
        raise click.UsageError("images or bands with the same name: their columns would coincide")
    return layers


def add_up(features, layers, wanted, raw, nodata, **options):
    """Return the columns of each layer for all features, with a progress bar."""
    from polymask.masks import zonal, zonal_summaries, zonal_windows  # imports the engine
    from polymask.masks.sampling import check_sampling

    shape = layers[0].raster.values.shape
    sampling = check_sampling(shape, **options)
    zonal.check_weights(wanted, features, sampling)
    bands = [_band(layer.raster, wanted, raw, nodata) for layer in layers]
    plan = partial(zonal_windows.whole, shape, features.features, AT_ONCE)
    opened = [layer.raster.values for layer in layers]
    opened = [values for values in opened if isinstance(values, WINDOWS)]
    if opened:
        boxes = zonal_windows.boxes_of(features, shape, sampling.offset)
        row_bytes = shape[1] * max(band.dtype.itemsize for band in bands)
        plan = partial(zonal_windows.plan, boxes, shape, opened[0].block, row_bytes)
    with contextlib.ExitStack() as stack:
        for values in opened:
            stack.callback(values.close)
        bar = stack.enter_context(progress())
        bar.begin("adding up", features.features)
        bar.working(figures.count(features.features, "feature"))
        columns = zonal_summaries.compute(features, sampling, bands, plan, wanted, bar.advance)
    return [
        rescale(each, layer.raster.scale, layer.raster.offset)
        if not raw and _is_rescaled(wanted, layer.raster.scale)
        else each
        for each, layer in zip(columns, layers, strict=True)
    ]


def _is_rescaled(wanted, scale):
    """Return whether the result can be scaled instead of the pixels."""
    swaps = scale < 0 and len({"min", "max"} & {*wanted.columns}) == 1  # for the missing one
    return not (swaps or wanted.weighted) and {*wanted.columns} <= {*BASIC}


def _band(raster, wanted, raw, nodata):
    """Return the band to compute; values are scaled if the result cannot be scaled instead."""
    from polymask.masks import zonal, zonal_summaries, zonal_windows

    if isinstance(raster.values, WINDOWS):
        values, read, dtype = raster.values, raster.values.read, raster.values.dtype
    else:
        values, missing, dtype = zonal.read_image(raster.values)
        read = partial(zonal_windows.crop, values, missing)
    band = zonal_summaries.Band(read, values.dtype, zonal.as_value(raster.nodata, dtype))
    if nodata is not None:
        band = zonal_summaries.without_nodata(band)._replace(nodata=zonal.as_value(nodata, dtype))
    if raw or (raster.scale, raster.offset) == (1, 0) or _is_rescaled(wanted, raster.scale):
        return band
    return zonal_summaries.scaled(band, raster.scale, raster.offset)


def rescale(columns, scale, offset):
    """Convert the statistics of an image to those of `scale` * image + `offset`.

    The result equals the statistics of the scaled image, except for the rounding of its pixels.
    """
    if (scale, offset) == (1, 0):
        return columns
    scaled = {name: values * scale + offset for name, values in columns.items()}
    scaled["count"] = columns["count"]
    if "sum" in columns:
        scaled["sum"] = columns["sum"] * scale + columns["count"] * offset
    if scale < 0 and {"min", "max"} & {*columns}:
        scaled["min"], scaled["max"] = scaled["max"], scaled["min"]
    return scaled


def _names(table, keep):
    """Return the properties to write."""
    names = list(table.properties) if keep is None else keep.split(",")
    for name in names:
        polygons.column(table, name)
    return names
