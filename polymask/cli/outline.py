"""`polymask outline`: the polygons of masks and label images in files."""

import time

import click
import numpy as np

import polymask
from polymask import geojson, image_files, placing, reading, saving
from polymask.cli.options import FILE, GIVEN_OR_STDIN, bounds_option, check_out, wrong_suffix
from polymask.cli.progress_bar import progress
from polymask.cli.terminal import wrote
from polymask.report import figures

FORMS = {".geojson": "geojson", ".json": "geojson", ".npz": "ragged"}


@click.command()
@click.argument("image", type=GIVEN_OR_STDIN)
@bounds_option
@click.option("--mask", "is_mask", is_flag=True, help="All that is not 0 is inside, and no label.")
@click.option(
    "--background", type=int, default=0, show_default=True, help="The label of what is outside."
)
@click.option(
    "--connectivity",
    type=click.Choice(["4", "8"]),
    default="4",
    show_default=True,
    help="Pixels hang together by their sides, or by their corners too.",
)
@click.option(
    "-o", "--out", required=True, type=FILE, help="Write to a .geojson, .json or .npz file."
)
def outline(image, bounds, is_mask, background, connectivity, out):
    """Write the outlines of a mask or a label image: .npy, .npz, .png or another picture.

    Outlines run along the edges of pixels, with holes: `polymask mask` with the same --bounds makes
    the image again. The image - is standard input. Each label becomes a feature, with the property
    `label`, and `name` where an .npz file has `names`. Coordinates are pixels, y downwards, unless
    --bounds gives the image's edges on a map. An .npz file gets the arrays vertices, ring_offsets,
    polygon_offsets and labels.
    """
    form = FORMS.get(out.suffix.lower())
    if form is None:
        raise wrong_suffix("--out", out, FORMS)
    if is_mask and background:
        raise click.UsageError("--mask and --background exclude each other")
    check_out(out, [image])
    pixels, names = image_files.read(image)
    if is_mask and pixels.dtype.kind in "iuf":
        pixels, names = (pixels != 0) & ~np.isnan(pixels), None
    pixels = labels_of(pixels, image)
    start = time.perf_counter()
    try:
        transform = None
        if bounds and pixels.ndim == 2:
            transform = placing.bounds_from(bounds, pixels.shape)
        found = polymask.labels_to_rings(
            pixels,
            background=background,
            connectivity=int(connectivity),
            transform=transform,
            form=form,
        )
    except (TypeError, ValueError) as error:
        raise ValueError(f"{reading.called(image)}: {error}") from None
    seconds = figures.seconds(time.perf_counter() - start)
    rows, cols = pixels.shape
    if form == "ragged":
        polygons, labels = found
        click.echo(f"{len(labels)} polygons of {rows} x {cols} pixels: {seconds}")
        with saving.replacing(out) as unfinished, unfinished.open("wb") as file:
            np.savez_compressed(file, labels=labels, **present(polygons, names))
    else:
        features = found["features"]
        click.echo(
            f"{len(features)} feature{'s' if len(features) != 1 else ''} "
            f"of {rows} x {cols} pixels: {seconds}"
        )
        name(features, names)
        with progress() as bar:
            bar.begin("writing", len(features))
            geojson.write(out, found, lambda done: bar.advance(1))
    wrote(out)


def labels_of(pixels, image):
    """Return an image of floats as integers, if that is what they are: so some programs write."""
    if pixels.dtype.kind != "f":
        return pixels
    with np.errstate(invalid="ignore"):
        labels = pixels.astype(np.int64)
    if not (labels == pixels).all():
        first = pixels[labels != pixels][0]
        raise ValueError(
            f"{reading.called(image)}: has {pixels.dtype} like {first}, and labels are "
            "integers: --mask outlines all that is not 0"
        )
    return labels


def name(features, names):
    """Give features the names that the labels number, that of label 1 first."""
    for feature in features if names else ():
        label = feature["properties"]["label"]
        if 1 <= label <= len(names):
            feature["properties"]["name"] = names[label - 1]


def present(polygons, names):
    """Return the arrays of polygons, and the names if there are any, by their names."""
    arrays = polygons._asdict() | {"names": names}
    return {key: array for key, array in arrays.items() if array is not None}
