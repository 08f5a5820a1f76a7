"""Polygons from files: functions to read, place and number them, for several commands."""

import contextlib
import functools
import json
import math
import warnings
from collections import Counter

import click
import numpy as np

from polymask.cli.options import bounds_option
from polymask.cli.places import GIVEN_OR_STDIN, check_stdin
from polymask.common import figures, stdin_io
from polymask.common.error_text import MOST, named, quote
from polymask.contract import Unavailable
from polymask.files import annotations, polygon_files
from polymask.forms import ragged
from polymask.maps import crs, fitting, georeference, longitudes
from polymask.maps.fitting import bounds_from

MOST_NAMES = 20  # on one line
DEGREES = 360, 90  # the largest longitude and latitude
ALMOST_NONE = 0.02  # of an image; degrees reach 1.6 % of 1000 x 1000 pixels
MANY = 1 / 3  # of all features: about as many countries lie west or south of 0 degrees

inputs_argument = click.argument(
    "inputs", metavar="INPUT...", nargs=-1, required=True, type=GIVEN_OR_STDIN
)


skip_option = click.option(
    "--skip", is_flag=True, help="Leave out points and lines, and count them."
)

reproject_option = click.option(
    "--reproject",
    is_flag=True,
    help="Convert polygons from another coordinate reference system with pyproj.",
)

wrap_option = click.option(
    "--wrap",
    is_flag=True,
    help="Also draw polygons 360 degrees east and west, on a map of degrees.",
)

touched_option = click.option(
    "--all-touched",
    is_flag=True,
    help="Include all pixels whose squares a polygon touches, not only those with a sample inside.",
)


def placing_options(command):
    """Add the options that place the polygons of a map on an image to a command."""

    @click.option("--fit", is_flag=True, help="Scale all polygons to fit the image, north up.")
    @bounds_option
    @functools.wraps(command)
    def with_placing(fit, bounds, **others):
        if fit and bounds:
            raise click.UsageError("--fit and --bounds exclude each other")
        return command(fit=fit, bounds=bounds, **others)

    return with_placing


def choice_options(command):
    """Add the options that choose annotations of COCO or labelme to a command."""

    @click.option("--image", "chosen", metavar="NAME", help="Read the annotations of this image.")
    @click.option("--category", multiple=True, help="Read this name or id; may be repeated.")
    @click.option("--instance", type=int, multiple=True, help="Read this id; may be repeated.")
    @functools.wraps(command)
    def with_choice(chosen, category, instance, **others):
        return command(choice=annotations.Choice(chosen, category, instance), **others)

    return with_choice


def read(
    inputs,
    shape,
    fit,
    bounds,
    skip,
    reproject,
    raster=None,
    wrap=False,
    choice=polygon_files.ANYTHING,
):
    """Return the table of all features in files, and the same table placed on an image.

    `raster` is None, or a tuple: the file of the image, and its `Raster`. `wrap` draws polygons at
    all longitudes that reach the image; a feature then consists of its copies. Annotations are not
    placed, not even on the map of `raster`: their coordinates are pixels by definition.
    """
    check_stdin(inputs)
    skipped = Counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UnicodeWarning)
        warnings.simplefilter("always", UserWarning)
        tables = polygon_files.read_tables(inputs, skipped, choice)
    for warning in caught:
        click.echo(warning.message, err=True)
    if skipped:
        kinds = ", ".join(f"{count} {kind}" for kind, count in skipped.most_common())
        if not skip:
            where = stdin_io.called(inputs[0]) if len(inputs) == 1 else "the files"
            raise ValueError(f"{where}: not only polygons, but {kinds}. Use --skip to omit these")
        _print_left_out(kinds, any(len(table.polygons.vertices) for table in tables))
    shape = shape or next((table.shape for table in tables if table.shape is not None), None)
    if shape is None:
        raise click.UsageError("Missing option '--shape': the files contain no size of an image")
    if any(table.center for table in tables):
        if fit or bounds or wrap:
            raise click.UsageError(
                "--bounds, --fit and --wrap place the coordinates of a map, but those of "
                "annotations are pixels: omit the option"
            )
        return (polygon_files.join_tables(tables),) * 2
    placed = raster is not None and raster[1].transform is not None
    transform = bounds_from(bounds, shape) if bounds else None
    if placed and not bounds:
        transform = raster[1].transform.north_up(shape)[0]
    if wrap and transform is None:
        raise click.UsageError("--wrap needs the longitudes of a map, but coordinates are pixels")
    systems = [
        (stdin_io.called(file), table.crs) for file, table in zip(inputs, tables, strict=True)
    ]
    if placed:
        systems = [(stdin_io.called(raster[0]), raster[1].crs), *systems]
    reference = next((entry for entry in systems if entry[1] is not None), None)
    if reference is not None:
        _print_assumed([name for name, system in systems if system is None], reference)
        to_system = _convert_system if reproject else _check_system
        step = _step(tables, shape, transform, fit)
        pairs = zip(systems[-len(tables) :], tables, strict=True)
        tables = [to_system(table, name, reference, step) for (name, _), table in pairs]
    table = polygon_files.join_tables(tables)
    vertices = table.polygons.vertices
    if bounds:
        placement = fitting.bounds_to(bounds, shape)
    elif fit and len(vertices):
        placement = fitting.fit_to(vertices.min(axis=0), vertices.max(axis=0), shape)
    elif placed:
        placement = transform.to_pixels
    else:
        return table, table
    if transform is not None:
        system = None if reference is None else reference[1]
        placement = georeference.keeping_poles(placement, transform, shape, True, system)
    if wrap:
        extent = [corner[0] for corner in corners(shape, bounds, transform)]
        polygons = longitudes.wrap(table.polygons, extent, placement)
        return table, table._replace(polygons=polygons)
    return table, move(table, placement)


def _print_left_out(what, is_part):
    click.echo(f"left out: {what}{'' if is_part else '; nothing is left'}", err=True)


def _print_assumed(names, reference):
    """Print the coordinate reference system assumed for files that name none."""
    if names:
        s = "s" if len(names) == 1 else ""
        system = quote(reference[1])
        with contextlib.suppress(Unavailable):  # without pyproj, print the text from the file
            system = crs.describe(reference[1])
        click.echo(
            f"{', '.join(names)} name{s} no coordinate reference system; using that of "
            f"{reference[0]}, {system}",
            err=True,
        )


def _check_system(table, name, reference, _):
    if table.crs is not None:
        crs.refuse_difference((name, table.crs), reference)
    return table


def _convert_system(table, name, reference, step):
    if table.crs is None or crs.is_same(table.crs, reference[1]):
        return table
    with stdin_io.named(name):
        polygons = crs.convert(table.polygons, table.crs, reference[1], crs.TOLERANCE * step)
    return table._replace(polygons=polygons, crs=reference[1])


def _step(tables, shape, transform, fit):
    """Return the size of a pixel on the map, estimated if the polygons will be fitted."""
    if transform is not None:
        return transform.step
    if not fit:
        return 1.0
    first = next(table for table in tables if table.crs is not None).polygons.vertices
    return (np.ptp(first, axis=0).max() / max(*shape, 1) if len(first) else 0.0) or 1.0


def sampling(is_map, table):
    """Return the options for sampling: those of `rasterize` if a map is placed on the image."""
    if is_map:
        return {"center": True, "border_value": None, "watertight": True}
    return {"center": table.center}


def move(table, placement):
    """Transform the vertices of a table by `placement`; return the new table."""
    polygons = table.polygons
    with np.errstate(over="ignore", invalid="ignore"):
        vertices = placement(polygons.vertices)
    if not np.isfinite(vertices).all():
        raise ValueError("vertices are too far from the image: check its bounds or transform")
    return table._replace(polygons=polygons._replace(vertices=vertices))


def column(table, name):
    """Return the values of a property."""
    if name not in table.properties:
        known = sorted(table.properties)
        first = ", ".join(f"{property_name!r:.{MOST}}" for property_name in known[:MOST_NAMES])
        others = f" and {len(known) - MOST_NAMES} more" if len(known) > MOST_NAMES else ""
        names = f"they have [{first}]{others}" if known else "they have no properties"
        raise click.UsageError(f"no feature has the property {name!r}; {names}")
    return table.properties[name]


def label_features(table, name):
    """Return the polygons of a table, a label for each feature, and the names of the labels.

    Values of a property that are all integers above 0 become the labels, without names. Other
    values are numbered, and become the names. Features without the property become empty.
    """
    values = column(table, name)
    polygons, missing = table.polygons, [is_missing(value) for value in values]
    if any(missing):
        features = figures.count(sum(missing), "feature")
        _print_left_out(f"{features} without the property {name!r}", not all(missing))
        polygons = ragged.from_parts(
            [[] if lacks else polygons.parts(index) for index, lacks in enumerate(missing)]
        )
    numbers, names = number([value for value in values if not is_missing(value)])
    labels = np.ones(len(values), np.int64)
    labels[~np.array(missing, bool)] = numbers
    return polygons, labels, names


def number(values):
    """Return a label for each value, and the names of the labels, or None for integer values."""
    if all(_is_label(value) for value in values):
        return np.array([int(value) for value in values], np.int64), None
    texts = [str(as_text(value)) for value in values]
    names = sorted(set(texts), key=annotations.order)
    numbers = {name: label for label, name in enumerate(names, start=1)}
    return np.array([numbers[text] for text in texts], np.int64), names


def _is_label(value):
    """Return whether a value is an integer above 0, possibly stored as a float."""
    if type(value) is float:
        return value.is_integer() and 0 < value < 2**53
    return type(value) is int and 0 < value < 2**63


def as_text(value):
    """Convert lists and objects to JSON; return other values unchanged."""
    if isinstance(value, (dict, list, np.ndarray)):
        return json.dumps(value, ensure_ascii=False, default=_plain)
    return value


def _plain(value):
    """Convert values from other file formats for JSON."""
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else str(value)


def is_missing(value):
    """Return whether a value is None or NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def list_names(names):
    """List the first labels with their names, for file formats without names."""
    first = [f"{label} {named(name)}" for label, name in enumerate(names[:MOST_NAMES], start=1)]
    others = [f"and {len(names) - MOST_NAMES} more"] if len(names) > MOST_NAMES else []
    return ", ".join([*first, *others])


def warn_of_place(tables, is_empty, low, high):
    """Warn that no pixel is in a polygon, or that coordinates are probably no pixels.

    `tables` are those of `read`, and `low` and `high` the corners of the image.
    """
    polygons, are_pixels = tables[0].polygons, tables[0] is tables[1]
    if not len(polygons.vertices):
        return
    first, last = polygons.rings_of(np.arange(polygons.features))
    ends = ragged.extents(
        polygons.vertices, polygons.ring_offsets[first], polygons.ring_offsets[last]
    )
    has_rings = first < last
    are_apart = ((ends[1] < low) | (ends[0] > high)).any(axis=1) & has_rings
    outside, ends = np.count_nonzero(are_apart), (ends[0].min(axis=0), ends[1].max(axis=0))
    reach = (np.minimum(ends[1], high) - np.maximum(ends[0], low)).clip(0).prod()
    is_tiny = (np.abs(ends) <= DEGREES).all() and reach < ALMOST_NONE * np.prod(high - low)
    is_tiny = is_tiny and (2 * polygons.vertices % 1).any()  # pixels end at integers or halves
    may_misread = are_pixels and not tables[0].center
    is_misread = may_misread and (outside >= MANY * np.count_nonzero(has_rings) or is_tiny)
    if not (is_empty or is_misread or (may_misread and outside)):
        return
    text, advice = "no pixel is in a polygon", ""
    if not is_empty:
        text = f"{figures.count(outside, 'feature')} outside the image"
        text = text if outside else "polygons reach almost none of the image"
    if is_misread:
        advice = ". If coordinates are those of a map, place them with --bounds"
    elif not tables[0].center and ((ends[1] < low) | (ends[0] > high)).any():
        advice = ". Are their coordinate reference systems the same?"
    spans = f"polygons span {_span(*ends)}, the image {_span(low, high)}"
    click.echo(f"{text}: {spans}{advice}", err=True)


def _span(low, high):
    return " and ".join(f"{a} {x:.7g} to {y:.7g}" for a, x, y in zip("xy", low, high, strict=True))


def corners(shape, bounds=None, transform=None):
    """Return the smallest and the largest x and y of an image, in the units of its polygons."""
    rows, cols = shape
    if bounds:
        west, south, east, north = bounds
        ends = np.array([(west, south), (east, north)])
    else:
        ends = np.array([(0, 0), (cols, 0), (0, rows), (cols, rows)], float)
        ends = ends if transform is None else transform(ends)
    return ends.min(axis=0), ends.max(axis=0)
