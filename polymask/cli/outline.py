"""`polymask outline`: the polygons of masks and label images in files, as GeoJSON."""

import time

import click
import numpy as np

import polymask
from polymask.cli.options import bounds_option
from polymask.cli.places import FILE, GIVEN_OR_STDIN, check_out, wrong_suffix
from polymask.cli.progress_bar import progress
from polymask.cli.terminal import wrote
from polymask.common import figures, stdin_io
from polymask.files import geojson, raster_files
from polymask.maps import fitting

SUFFIXES = ".geojson", ".json"


@click.command()
@click.argument("image", type=GIVEN_OR_STDIN)
@bounds_option
@click.option("--pixels", is_flag=True, help="Write pixel coordinates, even if the image is a map.")
@click.option("--mask", "is_mask", is_flag=True, help="Treat nonzero pixels as inside, not labels.")
@click.option("-o", "--out", required=True, type=FILE, help="Write to a .geojson or .json file.")
def outline(image, bounds, pixels, is_mask, out):
    """Write the outlines of a mask or label image: .npy, .npz, .png, or another image.

    Outlines run along the edges of pixels and have holes, so `polymask mask` with --center, or with
    the same --bounds, restores the image. The image - is standard input. Each label becomes a
    feature with the property `label`, and with `name` if an .npz file has `names`. If the image is
    a map (see `polymask stats`), coordinates are those of the map, GeoJSON names its reference
    system, and pixels without a value are outside. Otherwise, coordinates are pixels, y downwards,
    unless --bounds gives the edges of the image on a map, and a picture is turned upright by its
    EXIF data. With a palette, indices are labels.
    """
    if out.suffix.lower() not in SUFFIXES:
        raise wrong_suffix("--out", out, SUFFIXES)
    if bounds and pixels:
        raise click.UsageError("--bounds and --pixels exclude each other")
    check_out(out, [image])
    placed = not (bounds or pixels)
    raster = raster_files.read(image, only=True, placed=placed, scaled=False)
    labels = labels_of(raster, is_mask, image)
    start = time.perf_counter()
    try:
        transform = raster.transform
        if bounds and labels.ndim == 2:
            transform = fitting.bounds_from(bounds, labels.shape)
        collection = polymask.labels_to_rings(labels, transform=transform, form="geojson")
    except (TypeError, ValueError) as error:
        raise ValueError(f"{stdin_io.called(image)}: {error}") from None
    seconds = figures.seconds(time.perf_counter() - start)
    (rows, cols), features = labels.shape, collection["features"]
    click.echo(f"{figures.count(len(features), 'feature')} of {rows} x {cols} pixels: {seconds}")
    for feature in features if raster.names and not is_mask else ():
        label = feature["properties"]["label"]
        if 1 <= label <= len(raster.names):
            feature["properties"]["name"] = raster.names[label - 1]
    if transform is not None and not bounds:
        collection = with_crs(collection, raster.crs, out)
    with progress() as bar:
        bar.begin("writing", len(features))
        geojson.write(out, collection, lambda done: bar.advance(1))
    wrote(out)


def labels_of(raster, is_mask, image):
    """Return the labels of an image, 0 for missing ones; with `is_mask`, whether they are not 0.

    Whole floats become integers, as some programs write labels as floats.
    """
    values, missing = np.ma.getdata(raster.values), raster.is_missing
    if np.any(missing):
        values = np.where(missing, values.dtype.type(0), values)
    if is_mask and values.dtype.kind in "iuf":
        return (values != 0) & ~np.isnan(values)
    if values.dtype.kind != "f":
        return values
    with np.errstate(invalid="ignore"):
        labels = values.astype(np.int64)
    if not (labels == values).all():
        first = values[labels != values][0]
        raise ValueError(
            f"{stdin_io.called(image)}: labels are integers, but this has {values.dtype} values "
            f"such as {first}. With --mask, all nonzero pixels are outlined"
        )
    return labels


def with_crs(collection, crs, out):
    """Add a map's coordinate reference system to GeoJSON, in the way of GDAL."""
    if crs is None:
        return collection
    from rasterio.crs import CRS  # it is installed: it has read the image

    authority = CRS.from_wkt(crs).to_authority()
    if authority is None:
        click.echo(f"{out} has no coordinate reference system, as the map's has no code", err=True)
        return collection
    code = "OGC:1.3:CRS84" if authority == ("EPSG", "4326") else "::".join(authority)
    member = {"type": "name", "properties": {"name": f"urn:ogc:def:crs:{code}"}}
    return {"type": collection["type"], "crs": member, "features": collection["features"]}
