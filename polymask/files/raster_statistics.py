"""Statistics of the bands of image files within polygons, as the columns of a table."""

import contextlib
import itertools
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from polymask.files import raster_files
from polymask.files.raster_windows import BandWindows
from polymask.maps import crs
from polymask.masks import zonal_columns, zonal_windows
from polymask.masks.sampling import check_sampling

AT_ONCE = 50_000  # features of an image in memory between two reports of progress
MOST_CLASSES = 1000  # columns of a statistic
BY_CLASS = "frac", "unique_counts"  # statistics with a column for each distinct value


class Layer(NamedTuple):
    """A band of an image file, and the prefix of its columns."""

    file: Path
    prefix: str
    raster: raster_files.Raster


def open_layers(files, bands=(1,), **options):
    """Open bands of image files; refuse images on different grids.

    Parameters
    ----------
    files : sequence of Path
    bands : sequence of int
        The numbers of the bands to read of each file, from 1.
    **options
        Those of `raster_files.read`.

    Returns
    -------
    list of Layer
        The prefixes are empty for one band of one file, and otherwise all different.
    """
    layers = []
    for file, band in itertools.product(files, bands):
        raster = raster_files.read(file, band, windows=True, **options)
        prefix = f"{file.stem}_" if len(files) > 1 else ""
        layers.append(Layer(file, prefix + (f"band_{band}_" if len(bands) > 1 else ""), raster))
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
    if len({layer.prefix for layer in layers}) < len(layers):
        raise ValueError("images or bands with the same name: their columns would coincide")
    return layers


def compute(polygons, layers, names, weights=None, nodata=None, advance=None, **options):
    """Return statistics of each layer within polygons.

    Large images are read in windows, and only where polygons are.

    Parameters
    ----------
    polygons : Ragged
        In pixels of the images.
    layers : list of Layer
    names : sequence of str
        Names of statistics, as for `polygon_statistics`.
    weights : {None, "coverage"}
    nodata : number, optional
        The stored number of further pixels without a value.
    advance : callable, optional
        Called with the number of features that were finished since the last call.
    **options
        Those for sampling.

    Returns
    -------
    columns : dict of str to ndarray or list
        Of each layer and statistic. Those of `BY_CLASS` have a column for each distinct value.
    has_values : bool
        Whether a polygon has a pixel with a value.
    """
    from polymask.masks import zonal, zonal_summaries  # import the engine

    needed = ["count", *(["unique"] if {*BY_CLASS} & {*names} else [])]
    wanted = zonal_columns.request([*names, *(n for n in needed if n not in names)], weights)
    shape = layers[0].raster.values.shape
    sampling = check_sampling(shape, **options)
    zonal.check_weights(wanted, polygons, sampling)
    bands = [_band(layer.raster, nodata) for layer in layers]
    opened = [each.raster.values for each in layers if isinstance(each.raster.values, BandWindows)]
    plan = partial(zonal_windows.whole, shape, polygons.features, AT_ONCE)
    if opened:
        boxes = zonal_windows.boxes_of(polygons, shape, sampling.offset)
        row_bytes = shape[1] * max(band.dtype.itemsize for band in bands)
        plan = partial(zonal_windows.plan, boxes, shape, opened[0].block, row_bytes)
    with contextlib.ExitStack() as stack:
        for values in opened:
            stack.callback(values.close)
        results = zonal_summaries.compute(polygons, sampling, bands, plan, wanted, advance)
    columns = {}
    for layer, result in zip(layers, results, strict=True):
        for name in map(zonal_columns.column_name, names):
            if name in BY_CLASS:
                columns |= _by_class(layer.prefix + name, result["unique"], result[name])
            else:
                columns[layer.prefix + name] = result[name]
    return columns, any(result["count"].any() for result in results)


def _band(raster, nodata):
    """Return the band to compute, with scaled values."""
    from polymask.masks import zonal_images, zonal_summaries

    if isinstance(raster.values, BandWindows):
        values, read, dtype = raster.values, raster.values.read, raster.values.dtype
    else:
        values, missing, dtype = zonal_images.read_image(raster.values)
        read = partial(zonal_windows.crop, values, missing)
    band = zonal_summaries.Band(read, values.dtype, zonal_images.as_value(raster.nodata, dtype))
    if nodata is not None:
        band = zonal_summaries.without_nodata(band)._replace(
            nodata=zonal_images.as_value(nodata, dtype)
        )
    if (raster.scale, raster.offset) == (1, 0):
        return band
    return zonal_summaries.scaled(band, raster.scale, raster.offset)


def _by_class(name, unique, shares):
    """Return a column for each distinct value: its shares, 0 where a feature lacks it."""
    classes = np.unique(np.concatenate(unique)) if unique else np.empty(0)
    if len(classes) > MOST_CLASSES:
        raise ValueError(
            f"{name} would have {len(classes)} columns, more than {MOST_CLASSES}: the image does "
            "not consist of classes"
        )
    table = np.zeros((len(classes), len(unique)), shares[0].dtype if shares else float)
    for number, (values, parts) in enumerate(zip(unique, shares, strict=True)):
        table[np.searchsorted(classes, values), number] = parts
    labels = [f"{name}_{without_point(value)}" for value in classes.tolist()]
    return dict(zip(labels, table, strict=True))


def without_point(value):
    """Convert whole floats, such as 7.0 for a mean, to integers; return other values unchanged."""
    is_whole = isinstance(value, float) and abs(value) < 2**53 and value == int(value)
    return int(value) if is_whole else value
