"""Polygons from files: the options that choose and place them, for several commands."""

import contextlib
import functools
import warnings
from typing import NamedTuple

import click
import numpy as np

from polymask.cli.options import bounds_option
from polymask.cli.places import GIVEN_OR_STDIN, check_stdin
from polymask.common import stdin_io
from polymask.common.error_text import quote
from polymask.contract import Unavailable
from polymask.files import polygon_files
from polymask.files.coco_json import Choice
from polymask.forms.left_out import LeftOut
from polymask.forms.ragged import moved
from polymask.maps import crs, fitting, georeference, longitudes

touched_option = click.option(
    "--all-touched",
    is_flag=True,
    help="Include all pixels whose squares a polygon touches, not only those with a sample inside.",
)


class Source(NamedTuple):
    """Files of polygons, and the options that choose and place their features."""

    files: tuple
    bounds: tuple[float, float, float, float] | None
    choice: Choice
    wrap: bool
    skip: bool
    center: bool
    fit: bool = False


class Features(NamedTuple):
    """The features of files, and where they lie.

    Attributes
    ----------
    given, placed : polygon_files.Table
        The same features, with the coordinates of the files, and with those of the pixels.
    shape : tuple of int
        The (rows, cols) of the image.
    transform : georeference.Affine or None
        From pixels to the given coordinates; None if these are pixels, or fitted to the image.
    center : bool
        Whether the samples of an image, too, are the centres of its pixels.
    """

    given: polygon_files.Table
    placed: polygon_files.Table
    shape: tuple[int, int]
    transform: georeference.Affine | None = None
    center: bool = False

    @property
    def sampling(self):
        """The options for sampling: on a map those of `rasterize`."""
        if self.transform is None:
            return {"center": self.center or self.placed.center}
        return {"center": True, "border_value": None, "watertight": True}


def source_options(command):
    """Add files of polygons, and the options that choose and place them, as one `source`."""

    @click.argument("inputs", metavar="INPUT...", nargs=-1, required=True, type=GIVEN_OR_STDIN)
    @bounds_option
    @click.option("--image", "chosen", metavar="NAME", help="Read the annotations of this image.")
    @click.option("--category", multiple=True, help="Read this name or id; may be repeated.")
    @click.option("--instance", type=int, multiple=True, help="Read this id; may be repeated.")
    @click.option(
        "--wrap",
        is_flag=True,
        help="Also draw polygons 360 degrees east and west, on a map of degrees.",
    )
    @click.option("--center", is_flag=True, help="Sample the centres of pixels, as on maps.")
    @click.option("--skip", is_flag=True, help="Leave out points, lines and invalid polygons.")
    @functools.wraps(command)
    def with_source(inputs, bounds, chosen, category, instance, wrap, center, skip, **others):
        check_stdin(inputs)
        choice = Choice(chosen, category, instance)
        return command(source=Source(inputs, bounds, choice, wrap, skip, center), **others)

    return with_source


def read(source, shape, image=None, transform=None, system=None, squares=False):
    """Read the features of files, and place them on an image.

    Annotations are not placed, not even on a map: their coordinates are pixels by definition. With
    ``--wrap``, a feature consists of all its copies that reach the image.

    Parameters
    ----------
    source : Source
    shape : tuple of int or None
        If None, that of the image to which annotations belong.
    image : Path or None
        The file of the image.
    transform, system : optional
        Those of the image's `Raster`, if it is a map.
    squares : bool
        Whether areas of pixels count instead of samples: then vertices at a pole are not moved.

    Returns
    -------
    Features
    """
    tables = _read_tables(source)
    shape = shape or next((table.shape for table in tables if table.shape is not None), None)
    if shape is None:
        raise click.UsageError("Missing option '--shape': the files contain no size of an image")
    if any(table.center for table in tables):
        if source.fit or source.bounds or source.wrap:
            raise click.UsageError(
                "--bounds, --fit and --wrap place the coordinates of a map, but those of "
                "annotations are pixels: omit the option"
            )
        table = polygon_files.join_tables(tables)
        return Features(table, table, shape)
    systems = [] if transform is None else [(stdin_io.called(image), system)]
    if source.bounds:
        transform = fitting.bounds_from(source.bounds, shape)
    elif transform is not None:
        transform, _ = transform.north_up(shape)
    if source.wrap and transform is None:
        raise click.UsageError("--wrap needs the longitudes of a map, but coordinates are pixels")
    system = _common_system(source, systems, tables)
    table = polygon_files.join_tables(tables)
    vertices = table.polygons.vertices
    if transform is not None:
        place = transform.to_pixels
        if not squares:
            place = georeference.keeping_poles(place, transform, shape, True, system)
    elif source.fit and len(vertices):
        place = fitting.fit_to(vertices.min(axis=0), vertices.max(axis=0), shape)
    else:
        return Features(table, table, shape, center=source.center)
    if source.wrap:
        (west, _), (east, _) = corners(shape, transform)
        polygons = longitudes.wrap(table.polygons, (west, east), place)
    else:
        polygons = moved(table.polygons, place)
    return Features(table, table._replace(polygons=polygons), shape, transform, source.center)


def _read_tables(source):
    """Read the tables of files; print warnings, and what was left out."""
    skipped = LeftOut(takes_invalid=source.skip)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UnicodeWarning)
        warnings.simplefilter("always", UserWarning)
        tables = [polygon_files.read_table(f, skipped, source.choice) for f in source.files]
    for warning in caught:
        click.echo(warning.message, err=True)
    if skipped:
        others = ", ".join(f"{count} {name}" for name, count in skipped.most_common())
        if not source.skip:
            only = len(source.files) == 1
            where = stdin_io.called(source.files[0]) if only else "the files"
            raise ValueError(f"{where}: not only polygons, but {others}. Use --skip to omit these")
        if skipped["invalid polygon"]:
            click.echo(skipped.text(), err=True)
        print_left_out(others, any(len(table.polygons.vertices) for table in tables))
    return tables


def print_left_out(what, is_part):
    """Print what was left out, a part or all of the features."""
    click.echo(f"left out: {what}{'' if is_part else '; nothing is left'}", err=True)


def _common_system(source, systems, tables):
    """Return the coordinate reference system of all files, or None if none is named.

    `systems` has the name and the system of the map, if there is one. Other systems are refused.
    """
    names = [stdin_io.called(file) for file in source.files]
    systems = [*systems, *((name, t.crs) for name, t in zip(names, tables, strict=True))]
    reference = next((entry for entry in systems if entry[1] is not None), None)
    if reference is None:
        return None
    assumed = [name for name, system in systems if system is None]
    if assumed:
        s = "s" if len(assumed) == 1 else ""
        system = quote(reference[1])
        with contextlib.suppress(Unavailable):  # without pyproj, print the text from the file
            system = crs.describe(reference[1])
        click.echo(
            f"{', '.join(assumed)} name{s} no coordinate reference system; using that of "
            f"{reference[0]}, {system}",
            err=True,
        )
    for name, table in zip(names, tables, strict=True):
        if table.crs is not None:
            crs.refuse_difference((name, table.crs), reference)
    return reference[1]


def corners(shape, transform):
    """Return the smallest and the largest x and y of an image, in the units of its polygons."""
    rows, cols = shape
    ends = np.array([(0, 0), (cols, 0), (0, rows), (cols, rows)], float)
    ends = ends if transform is None else transform(ends)
    return ends.min(axis=0), ends.max(axis=0)
