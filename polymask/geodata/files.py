"""Reading polygons from files."""

import io
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from polymask.common import error_text
from polymask.common.stdin_io import called, content, named
from polymask.geodata import geojson, geometry, other_formats, vector_files, vertex_text
from polymask.geodata.image_files import read_array
from polymask.geodata.ragged import Ragged, join, of_parts, ragged

JSON = ".geojson", ".json"
BEGINS_JSON = re.compile(rb"(\xef\xbb\xbf)?\s*[{\[]")  # a byte order mark, blanks
BAD = ValueError, TypeError  # of what is in a file, which may be of any type


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
    polygons = read_table(file).polygons
    count = len(polygons.ring_offsets) - 1
    if count != 1:
        raise ValueError(
            f"{called(file)}: has {count} rings, but a single ring is needed here, without a blank "
            "line if it is text; `polymask mask` takes all"
        )
    return polygons.vertices


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


def read_table(file, skipped=None):
    """Read all polygons of a file, as many as there may be.

    GeoJSON, text and .npy as `read_polygon`, an .npy of many rings of one length too; GeoPackage,
    FlatGeobuf and Shapefile by pyogrio, GeoParquet by geopandas; pyarrow reads the columns of all
    four, integers beside a null exactly.

    Parameters
    ----------
    file : str or Path
    skipped : collections.Counter, optional
        Counts geometries that are no polygons, by their kind; their features are empty then. If
        None, they are an error.

    Returns
    -------
    Table

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it holds no polygons; the text names file and polygon.
    Unavailable
        If the library that reads it is not installed.
    """
    file = Path(file)
    with named(file, BAD):
        if file.suffix.lower() in vector_files.SUFFIXES:
            return Table(*vector_files.read(file, skipped))
        found, system = _read(file, skipped)
        if isinstance(found, np.ndarray):
            return Table(_of_array(found), {})
    parts, properties = zip(*found, strict=True) if found else ((), ())
    names = dict.fromkeys(name for one in properties for name in one)
    columns = {name: [one.get(name) for one in properties] for name in names}
    return Table(of_parts(parts), columns, system)


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


def _of_array(array):
    """Return one polygon, or an array of many, as Ragged."""
    if geometry.depth(array) == 3:
        return ragged(array)
    if error_text.is_flat(array.shape):  # a file of other numbers, rather than COCO's ring
        raise ValueError(f"vertices must have the shape (N, 2) in a file, got {array.shape}")
    return of_parts([geometry.parts(array)])


def _read_text(found):
    try:
        lines = found.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError(
            "none of the formats that are read here: if it is text, save it as UTF-8"
        ) from None
    return [(geometry.parts(polygon), {}) for polygon in vertex_text.read(lines)]
