"""`polymask mask`: masks and label images of real files."""

import time

import click
import numpy as np

import polymask
from polymask import files, geometry, placing
from polymask.cli.images import writer
from polymask.cli.options import FILE, GIVEN, SHAPE, Text
from polymask.cli.progress_bar import progress
from polymask.report import figures


def read_bounds(text):
    """Read W,S,E,N."""
    try:
        west, south, east, north = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"expected four numbers W,S,E,N, got {text!r}") from None
    return west, south, east, north


@click.command()
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True, type=GIVEN)
@click.option("--shape", type=SHAPE, required=True, help="Rows and columns, like 600x800.")
@click.option("--fit", is_flag=True, help="Scale all polygons to the image, north up.")
@click.option(
    "--bounds", type=Text("w,s,e,n", read_bounds), help="The map's edges: west, south, east, north."
)
@click.option(
    "--label", metavar="PROPERTY", help="Number the features by this property; 0 is outside."
)
@click.option("-o", "--out", required=True, type=FILE, help="Write to a .npy, .png or .npz file.")
def mask(inputs, shape, fit, bounds, label, out):
    """Make the mask of all polygons in files: GeoJSON, text or CSV with two columns, .npy.

    Coordinates are pixels, y downwards, unless --fit or --bounds places them as on a map. With
    --label the result is an image of labels: the property itself where all its values are
    integers above 0, else a number for each value, in order, which an .npz file keeps as `names`.
    """
    if fit and bounds:
        raise click.UsageError("--fit and --bounds exclude each other")
    write = writer("--out", out, shape)
    features = [feature for file in inputs for feature in files.read_features(file)]
    parts = place(features, shape, fit, bounds)
    labels, names = number(features, label) if label else ([1] * len(features), None)
    start = time.perf_counter()
    with progress() as bar:
        bar.begin("drawing", len(features))
        bar.working(f"{len(features)} features")
        image = polymask.label_mask(
            [geometry.Parts(found) for found in parts],
            shape,
            labels=labels,
            dtype=None if label else np.uint8,
            center=bounds is not None,
            progress=lambda done: bar.advance(1),
        )
    seconds = time.perf_counter() - start
    click.echo(
        f"{len(features)} feature{'s' if len(features) != 1 else ''}, {shape[0]} x {shape[1]} "
        f"pixels, {np.count_nonzero(image) / max(image.size, 1):.1%} inside: "
        f"{figures.seconds(seconds)}"
    )
    write(image, names)
    click.echo(f"wrote {out}")


def place(features, shape, fit, bounds):
    """Return the features' parts in pixels."""
    vertices = [part.vertices for feature in features for part in feature.parts]
    if bounds:
        placement = placing.bounds_to(bounds, shape)
    elif fit and vertices:
        low = np.min([points.min(axis=0) for points in vertices], axis=0)
        high = np.max([points.max(axis=0) for points in vertices], axis=0)
        placement = placing.fit_to(low, high, shape)
    else:
        return [feature.parts for feature in features]
    return [
        [part._replace(vertices=placement(part.vertices)) for part in feature.parts]
        for feature in features
    ]


def number(features, label):
    """Return a label per feature, and the names that the labels number, None if they name none."""
    known = sorted({name for feature in features for name in feature.properties})
    if not any(label in feature.properties for feature in features):
        raise click.UsageError(f"no feature has the property {label!r}; there are {known}")
    values = [feature.properties.get(label) for feature in features]
    if all(type(value) is int and value > 0 for value in values):
        return values, None
    names = sorted({str(value) for value in values})
    return [names.index(str(value)) + 1 for value in values], names
