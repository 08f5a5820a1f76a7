"""`polymask outline`: the polygons of masks and label images in files."""

import time

import click
import numpy as np

import polymask
from polymask.cli.options import bounds_option, page_option
from polymask.cli.places import FILE, IMAGE, check_out, wrong_suffix
from polymask.cli.progress_bar import progress
from polymask.cli.terminal import wrote
from polymask.common import figures, saving, stdin_io
from polymask.files import geojson, raster_files
from polymask.maps import fitting

FORMS = {".geojson": "geojson", ".json": "geojson", ".npz": "ragged"}


@click.command()
@click.argument("image", type=IMAGE)
@bounds_option
@click.option("--pixels", is_flag=True, help="Write pixel coordinates, even if the image is a map.")
@page_option
@click.option("--mask", "is_mask", is_flag=True, help="Treat nonzero pixels as inside, not labels.")
@click.option(
    "--background", type=int, default=0, show_default=True, help="Set the label of the outside."
)
@click.option(
    "--connectivity",
    type=click.Choice(["4", "8"]),
    default="4",
    show_default=True,
    help="Connect pixels at their sides (4), or also at their corners (8).",
)
@click.option(
    "-o", "--out", required=True, type=FILE, help="Write to a .geojson, .json or .npz file."
)
def outline(image, bounds, pixels, page, is_mask, background, connectivity, out):
    """Write the outlines of a mask or label image: .npy, .npz, .png, Zarr, or another image.

    Outlines run along the edges of pixels and have holes, so `polymask mask` with the same --bounds
    restores the image. The image - is standard input. Each label becomes a feature with the
    property `label`, and with `name` if an .npz file or a Zarr array has `names`. If the image is a
    map (see `polymask stats`), coordinates are those of the map, GeoJSON names its reference
    system, and pixels without a value are outside. Otherwise, coordinates are pixels, y downwards,
    unless --bounds gives the edges of the image on a map, and a picture is turned upright by its
    EXIF data. With a palette, indices are labels. An .npz file stores the arrays vertices,
    ring_offsets, polygon_offsets and labels.
    """
    form = FORMS.get(out.suffix.lower())
    if form is None:
        raise wrong_suffix("--out", out, FORMS)
    if bounds and pixels:
        raise click.UsageError("--bounds and --pixels exclude each other")
    if is_mask and background:
        raise click.UsageError("--mask and --background exclude each other")
    check_out(out, [image])
    placed = not (bounds or pixels)
    raster = raster_files.read(image, page=page, only=True, placed=placed, scaled=False)
    values, names = without_missing(raster, 0 if is_mask else background), raster.names
    if is_mask and values.dtype.kind in "iuf":
        values, names = (values != 0) & ~np.isnan(values), None
    values = labels_of(values, image)
    start = time.perf_counter()
    try:
        transform = raster.transform
        if bounds and values.ndim == 2:
            transform = fitting.bounds_from(bounds, values.shape)
        outlines = polymask.labels_to_rings(
            values,
            background=background,
            connectivity=int(connectivity),
            transform=transform,
            form=form,
        )
    except (TypeError, ValueError) as error:
        raise ValueError(f"{stdin_io.called(image)}: {error}") from None
    seconds = figures.seconds(time.perf_counter() - start)
    rows, cols = values.shape
    if form == "ragged":
        polygons, labels = outlines
        click.echo(f"{len(labels)} polygons of {rows} x {cols} pixels: {seconds}")
        with saving.replacing(out) as unfinished, unfinished.open("wb") as file:
            np.savez_compressed(file, labels=labels, **present(polygons, names))
    else:
        features = outlines["features"]
        click.echo(
            f"{len(features)} feature{'s' if len(features) != 1 else ''} "
            f"of {rows} x {cols} pixels: {seconds}"
        )
        name(features, names)
        if transform is not None and not bounds:
            outlines = with_crs(outlines, raster.crs, out)
        with progress() as bar:
            bar.begin("writing", len(features))
            geojson.write(out, outlines, lambda done: bar.advance(1))
    wrote(out)


def without_missing(raster, background):
    """Return the values of an image; missing ones become the background."""
    missing, values = raster.is_missing, np.ma.getdata(raster.values)
    if not np.any(missing):
        return values
    if values.dtype.kind in "iu" and not contains(values.dtype, background):
        values = values.astype(np.int64)
    return np.where(missing, np.asarray(background, values.dtype), values)


def contains(dtype, number):
    """Return whether a dtype can hold an integer."""
    return np.iinfo(dtype).min <= number <= np.iinfo(dtype).max


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


def labels_of(values, image):
    """Convert whole floats to integers, as some programs write labels as floats."""
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


def name(features, names):
    """Add names to features by their labels; the first name is that of label 1."""
    for feature in features if names else ():
        label = feature["properties"]["label"]
        if 1 <= label <= len(names):
            feature["properties"]["name"] = names[label - 1]


def present(polygons, names):
    """Map names to arrays: those of polygons, and the names of labels if any."""
    arrays = polygons._asdict() | {"names": names}
    return {key: array for key, array in arrays.items() if array is not None}
