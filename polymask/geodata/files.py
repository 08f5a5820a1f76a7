"""Reading polygons from files."""

import io
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from polymask.common import error_text
from polymask.common.stdin_io import called, content, named
from polymask.geodata import crs, geojson, geometry, other_formats, vector_files, vertex_text
from polymask.geodata.image_files import read_array
from polymask.geodata.ragged import Ragged, join, of_parts, ragged

JSON = ".geojson", ".json"
BEGINS_JSON = re.compile(rb"(\xef\xbb\xbf)?\s*[{\[]")  # a byte order mark, blanks
BAD = ValueError, TypeError  # of what is in a file, which may be of any type


class Feature(NamedTuple):
    """A polygon of a file, and what the file says of it.

    Attributes
    ----------
    parts : list of geometry.Rings
        Empty where the file gives no geometry.
    properties : dict
        Empty for text and .npy.
    """

    parts: list
    properties: dict


class Table(NamedTuple):
    """The features of files, and what the files say of them.

    Attributes
    ----------
    polygons : Ragged
        A feature that the file gives no geometry is empty.
    properties : dict of list
        Each property's values, one per feature; None where a feature has none.
    crs : str or None
        The coordinate reference system that the file names, as `pyproj.CRS` takes it: WKT, or an
        authority's code. None where it names none. Of several files, that of the first that does.
    """

    polygons: Ragged
    properties: dict
    crs: str | None = None


def read_polygon(file):
    """Read a polygon of one ring: GeoJSON, two columns of text or CSV, or an .npy array.

    Text has one vertex a line, x and y apart by blanks, a comma, a semicolon or a tab. What follows
    a # and one line of column names at the top are passed over. A blank line, one of two NaN, and
    one that begins with > each end a polygon, as in GMT and MATLAB. Where the suffix does not tell
    the kind, the content does.

    Parameters
    ----------
    file : str or Path
        `reading.STDIN` is standard input.

    Returns
    -------
    ndarray, shape (N, 2), float64

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it holds no polygon, or more than one ring; the text names the file, and for text the
        line.
    """
    rings = [part for feature in read_features(file) for part in feature.parts]
    count = sum(1 if part.starts is None else len(part.starts) for part in rings)
    if count != 1:
        raise ValueError(
            f"{called(file)}: has {count} rings, but a single ring is needed here, without a blank "
            "line if it is text; `polymask mask` takes all"
        )
    return rings[0].vertices


def read_features(file):
    """Read all polygons of a file, of the kinds that `read_polygon` or `read_tables` reads.

    Returns
    -------
    list of Feature
        All of a file; one of an .npy file.
    """
    file = Path(file)
    with named(file, BAD):
        if file.suffix.lower() in vector_files.SUFFIXES:
            polygons, properties, _ = vector_files.read(file)
            names, columns = list(properties), zip(*properties.values(), strict=True)
            rows = columns if names else [()] * polygons.features
            return [
                Feature(polygons.parts(number), dict(zip(names, row, strict=True)))
                for number, row in enumerate(rows)
            ]
        return _features(_read(file)[0])


def _features(found):
    """Return what `_read` gives as a list of Feature."""
    if isinstance(found, np.ndarray):
        if error_text.is_flat(found.shape):  # a file of other numbers, rather than COCO's ring
            raise ValueError(f"vertices must have the shape (N, 2) in a file, got {found.shape}")
        return [Feature(geometry.parts(found), {})]
    return [Feature(*feature) for feature in found]


def _read(file, skipped=None):
    """Return the array of a file, or GeoJSON's features, and the coordinate reference system.

    Its content decides what it is if no suffix does.
    """
    suffix = file.suffix.lower()
    if suffix == ".npy" and file.is_file():
        return read_array(file), None
    found = content(file)
    if suffix == ".npy" or found.startswith(np.lib.format.MAGIC_PREFIX):  # from a pipe
        return read_array(io.BytesIO(found)), None
    other_formats.refuse_bytes(found)
    if suffix in JSON or BEGINS_JSON.match(found):
        return geojson.read(found, skipped)
    return _read_text(found), None


def read_tables(files, skipped=None):
    """Read all polygons of files, as many as there may be.

    GeoJSON, text and .npy as `read_polygon`, an .npy of many rings of one length too; GeoPackage,
    FlatGeobuf and Shapefile by pyogrio, GeoParquet by geopandas; pyarrow reads the columns of all
    four, integers beside a null exactly.

    Parameters
    ----------
    files : iterable of str or Path
    skipped : collections.Counter, optional
        Counts geometries that are no polygons, by their kind; their features are empty then. If
        None, they are an error.

    Returns
    -------
    Table

    Raises
    ------
    OSError
        If a file cannot be read.
    ValueError
        If one holds no polygons, or two name different coordinate reference systems; the text names
        file and polygon.
    Unavailable
        If the library that reads it is not installed.
    """
    files = [Path(file) for file in files]
    tables = [read_table(file, skipped) for file in files]
    placed = [(called(f), t.crs) for f, t in zip(files, tables, strict=True) if t.crs is not None]
    for other in placed[1:]:
        crs.refuse_difference(other, placed[0])
    return join_tables(tables)


def join_tables(tables):
    """Return the features of several tables as one, whatever their reference systems are."""
    names = dict.fromkeys(name for table in tables for name in table.properties)
    columns = {
        name: [
            value
            for table in tables
            for value in table.properties.get(name) or [None] * table.polygons.features
        ]
        for name in names
    }
    first = next((table.crs for table in tables if table.crs is not None), None)
    return Table(join([table.polygons for table in tables]), columns, first)


def read_table(file, skipped=None):
    """Read all polygons of a file, as `read_tables` does of several."""
    file = Path(file)
    with named(file, BAD):
        if file.suffix.lower() in vector_files.SUFFIXES:
            return Table(*vector_files.read(file, skipped))
        found, system = _read(file, skipped)
        if isinstance(found, np.ndarray) and geometry.depth(found) == 3:
            return Table(ragged(found), {})
        features = _features(found)
    names = dict.fromkeys(name for feature in features for name in feature.properties)
    columns = {name: [feature.properties.get(name) for feature in features] for name in names}
    return Table(of_parts([feature.parts for feature in features]), columns, system)


def _read_text(found):
    try:
        lines = found.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError(
            "none of the formats that are read here: if it is text, save it as UTF-8"
        ) from None
    return [(geometry.parts(polygon), {}) for polygon in vertex_text.read(lines)]
