"""Reading, placing and numbering the polygons of files, for several commands."""

import contextlib
import functools
import json
import math
from collections import Counter

import click
import numpy as np

from polymask.cli.options import bounds_option
from polymask.cli.places import GIVEN_OR_STDIN, check_stdin
from polymask.common import stdin_io
from polymask.common.error_text import MOST, named, quote
from polymask.contract import Unavailable
from polymask.geodata import crs, files, fitting, ragged
from polymask.geodata.fitting import bounds_from

MOST_NAMES = 20  # in a line

inputs_argument = click.argument(
    "inputs", metavar="INPUT...", nargs=-1, required=True, type=GIVEN_OR_STDIN
)


skip_option = click.option(
    "--skip", is_flag=True, help="Leave out points, lines and collections, and say how many."
)

reproject_option = click.option(
    "--reproject",
    is_flag=True,
    help="Convert polygons of another coordinate reference system, by pyproj.",
)

touched_option = click.option(
    "--all-touched",
    is_flag=True,
    help="Take every pixel whose square a polygon touches, not only those whose sample is inside.",
)


def placing_options(command):
    """Add the options that place polygons of a map on an image to a command."""

    @click.option("--fit", is_flag=True, help="Scale all polygons to the image, north up.")
    @bounds_option
    @functools.wraps(command)
    def with_placing(fit, bounds, **others):
        if fit and bounds:
            raise click.UsageError("--fit and --bounds exclude each other")
        return command(fit=fit, bounds=bounds, **others)

    return with_placing


def read(inputs, shape, fit, bounds, skip, reproject, raster=None):
    """Return the table of all features of files, and the table placed on an image.

    `raster` is None, or the file of the image and its `Raster`.
    """
    check_stdin(inputs)
    skipped = Counter()
    tables = [files.read_table(file, skipped) for file in inputs]
    if skipped:
        kinds = ", ".join(f"{count} {kind}" for kind, count in skipped.most_common())
        if not skip:
            where = files.called(inputs[0]) if len(inputs) == 1 else "the files"
            raise ValueError(f"{where}: not only polygons, but {kinds}, which --skip leaves out")
        click.echo(f"left out: {kinds}", err=True)
    placed = raster is not None and raster[1].transform is not None
    transform = bounds_from(bounds, shape) if bounds else raster[1].transform if placed else None
    systems = [(files.called(file), table.crs) for file, table in zip(inputs, tables, strict=True)]
    if placed:
        systems = [(files.called(raster[0]), raster[1].crs), *systems]
    reference = next((entry for entry in systems if entry[1] is not None), None)
    if reference is not None:
        _print_assumed([name for name, system in systems if system is None], reference)
        converted = _converted if reproject else _compared
        step = _step(tables, shape, transform, fit)
        of_files = zip(systems[-len(tables) :], tables, strict=True)
        tables = [converted(table, name, reference, step) for (name, _), table in of_files]
    table = files.join_tables(tables)
    vertices = table.polygons.vertices
    if bounds:
        placement = fitting.bounds_to(bounds, shape)
    elif fit and len(vertices):
        placement = fitting.fit_to(vertices.min(axis=0), vertices.max(axis=0), shape)
    elif placed:
        placement = transform.to_pixels
    else:
        return table, table
    return table, moved(table, placement)


def _print_assumed(names, reference):
    """Print the coordinate reference system assumed for files that name none."""
    if names:
        s = "s" if len(names) == 1 else ""
        system = quote(reference[1])
        with contextlib.suppress(Unavailable):  # without pyproj, as written in the file
            system = crs.describe(reference[1])
        click.echo(
            f"{', '.join(names)} name{s} no coordinate reference system: taken to be that of "
            f"{reference[0]}, {system}",
            err=True,
        )


def _compared(table, name, reference, _):
    if table.crs is not None:
        crs.refuse_difference((name, table.crs), reference)
    return table


def _converted(table, name, reference, step):
    if table.crs is None or crs.is_same(table.crs, reference[1]):
        return table
    with stdin_io.named(name):
        polygons = crs.convert(table.polygons, table.crs, reference[1], crs.TOLERANCE * step)
    return table._replace(polygons=polygons, crs=reference[1])


def _step(tables, shape, transform, fit):
    """Return the length of a pixel on the map; an estimate if polygons will be fitted."""
    if transform is not None:
        return transform.step
    if not fit:
        return 1.0
    first = next(table for table in tables if table.crs is not None).polygons.vertices
    return (np.ptp(first, axis=0).max() / max(*shape, 1) if len(first) else 0.0) or 1.0


def moved(table, placement):
    """Return a table with its vertices transformed by `placement`."""
    polygons = table.polygons
    with np.errstate(over="ignore", invalid="ignore"):
        vertices = placement(polygons.vertices)
    if not np.isfinite(vertices).all():
        raise ValueError("vertices lie too far from the image for float64: see bounds or transform")
    return table._replace(polygons=polygons._replace(vertices=vertices))


def column(table, name):
    """Return the values of a property."""
    if name not in table.properties:
        known = sorted(table.properties)
        first = ", ".join(f"{property_name!r:.{MOST}}" for property_name in known[:MOST_NAMES])
        rest = f" and {len(known) - MOST_NAMES} more" if len(known) > MOST_NAMES else ""
        names = f"there are [{first}]{rest}" if known else "features have none"
        raise click.UsageError(f"no feature has the property {name!r}; {names}")
    return table.properties[name]


def labelled(table, name):
    """Return the polygons of a table, a label per feature, and the names of labels.

    Labels are the values of a property; if they are integers above 0, there are no names. Features
    without the property become empty.
    """
    values = column(table, name)
    polygons, missing = table.polygons, [is_missing(value) for value in values]
    if any(missing):
        lacking = f"{counted(sum(missing), 'feature')} without the property {name!r}"
        click.echo(f"left out: {lacking}", err=True)
        polygons = ragged.from_parts(
            [[] if lacks else polygons.parts(place) for place, lacks in enumerate(missing)]
        )
    labels, names = number([value for value in values if not is_missing(value)])
    every = np.ones(len(values), np.int64)
    every[~np.array(missing, bool)] = labels
    return polygons, every, names


def number(values):
    """Return a label per value, and the names of labels, or None for integer values."""
    if all(_is_label(value) for value in values):
        return np.array([int(value) for value in values], np.int64), None
    words = [str(written(value)) for value in values]
    names = sorted(set(words))
    numbers = {name: place for place, name in enumerate(names, start=1)}
    return np.array([numbers[word] for word in words], np.int64), names


def _is_label(value):
    """Whether a value is an integer above 0, possibly as a float."""
    if type(value) is float:
        return value.is_integer() and 0 < value < 2**53
    return type(value) is int and 0 < value < 2**63


def written(value):
    """Return a property as text can hold it: a list or an object becomes JSON."""
    if isinstance(value, (dict, list, np.ndarray)):
        return json.dumps(value, ensure_ascii=False, default=_plain)
    return value


def _plain(value):
    """Convert values of other file formats for JSON."""
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else str(value)


def is_missing(value):
    """Whether a value is None or NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def listed(names):
    """List the first labels with their names, for files that keep none."""
    first = [f"{label} {named(name)}" for label, name in enumerate(names[:MOST_NAMES], start=1)]
    rest = [f"and {len(names) - MOST_NAMES} more"] if len(names) > MOST_NAMES else []
    return ", ".join([*first, *rest])


def warn_of_nothing(polygons, low, high):
    """Warn that no pixel is in a polygon; `low` and `high` are the corners of the image."""
    if not len(polygons.vertices):
        return
    ends = polygons.vertices.min(axis=0), polygons.vertices.max(axis=0)
    apart = (ends[1] < low).any() or (ends[0] > high).any()
    click.echo(
        f"no pixel is in a polygon: polygons reach {_reach(*ends)}, the image {_reach(low, high)}"
        + (": is that the same coordinate reference system?" if apart else ""),
        err=True,
    )


def _reach(low, high):
    return " and ".join(f"{a} {x:.7g} to {y:.7g}" for a, x, y in zip("xy", low, high, strict=True))


def corners(shape, bounds=None, transform=None):
    """Return the least and the greatest x and y of an image, in the units of its polygons."""
    rows, cols = shape
    if bounds:
        west, south, east, north = bounds
        ends = np.array([(west, south), (east, north)])
    else:
        ends = np.array([(0, 0), (cols, 0), (0, rows), (cols, rows)], float)
        ends = ends if transform is None else transform(ends)
    return ends.min(axis=0), ends.max(axis=0)


def counted(amount, noun):
    """Return an amount with its noun, in the plural if necessary."""
    return f"{amount} {noun}{'s' if amount != 1 else ''}"
