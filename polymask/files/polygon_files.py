"""Reading polygons from files."""

import gzip
import io
import warnings
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from polymask.common import error_text, json_text
from polymask.common.error_text import list_names, quote
from polymask.common.stdin_io import called, content, named
from polymask.files import (
    annotation_files,
    geojson,
    qupath,
    vector_files,
    vertex_text,
)
from polymask.files.annotations import Choice, Image, NoImage
from polymask.files.image_files import read_array
from polymask.forms import (
    geometry,
    other_formats,
)
from polymask.forms.ragged import Ragged, from_parts, join, ragged

JSON = ".geojson", ".json", ".geojsonl", ".geojsons", ".geojsonseq", ".jsonl", ".ndjson"
BEGINS_GZIP = b"\x1f\x8b"
ANYTHING = Choice()
CONTENT_ERRORS = ValueError, TypeError  # errors that the content of a file may cause


class Table(NamedTuple):
    """The features of files, with their properties and reference system, and their image.

    Attributes
    ----------
    polygons : Ragged
        A feature without a geometry is empty.
    properties : dict of list
        Each property's values, one per feature; None for a feature without the property.
    crs : str or None
        The coordinate reference system named in the file, as input for `pyproj.CRS`: WKT, or an
        authority's code. None without one. For several files, that of the first file with one.
    shape : tuple of int or None
        The (rows, cols) of the image that the file of annotations belongs to, if it contains them.
    center : bool
        Whether integer coordinates are edges of pixels, as in annotations: masks need
        ``center=True``.
    image : annotations.Image or None
        The image of annotations.
    """

    polygons: Ragged
    properties: dict
    crs: str | None = None
    shape: tuple[int, int] | None = None
    center: bool = False
    image: Image | None = None


def read_polygon(file):
    """Read a polygon of one ring: GeoJSON, two columns of text or CSV, or an .npy array.

    Text has one vertex per line: x and y, separated by blanks, a comma, a semicolon or a tab.
    Comments after a # and one line of column names at the top are ignored. A blank line, a line of
    two NaNs, or a line that begins with > ends a polygon, as in GMT and MATLAB. If the suffix does
    not determine the format, the content does.

    Parameters
    ----------
    file : str or Path
        `stdin_io.STDIN` is standard input.

    Returns
    -------
    ndarray, shape (N, 2), float64

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file contains no polygon, or more than one ring. The message names the file, and for
        text the line.
    """
    polygons = read_table(file).polygons
    count = len(polygons.ring_offsets) - 1
    if count != 1:
        raise ValueError(
            f"{called(file)}: has {count} rings, but must have a single ring (in text, without a "
            "blank line); `polymask mask` accepts more"
        )
    return polygons.vertices


def _read(file, skipped, choice):
    """Read the array of a file, or its features, and the other fields of `Table`, from `crs` on.

    If the suffix does not determine the format, the content does.
    """
    suffix = file.suffix.lower()
    if suffix == ".npy" and file.is_file():
        return read_array(file), None
    file_bytes, subject = content(file), "this"
    if file_bytes.startswith(BEGINS_GZIP):
        file_bytes, suffix = _unpack(file_bytes), Path(file.stem).suffix.lower()
        subject = "the unpacked file"
    if suffix == ".npy" or file_bytes.startswith(np.lib.format.MAGIC_PREFIX):  # from a pipe
        return read_array(io.BytesIO(file_bytes)), None
    annotated = annotation_files.read(file_bytes, choice, skipped)
    if annotated is not None:
        features, image = annotated
        return features, None, image and image.shape, True, image
    other_formats.refuse_bytes(file_bytes, subject)
    if suffix in JSON or json_text.BEGINS.match(file_bytes):
        return geojson.read(file_bytes, skipped)
    return _read_text(file_bytes), None


def _unpack(file_bytes):
    """Return the content of a file compressed with gzip."""
    try:
        return gzip.decompress(file_bytes)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"compressed with gzip, but damaged: {error}") from None
    except MemoryError:
        raise MemoryError("compressed with gzip, and too large for memory") from None


def read_table(file, skipped=None, choice=ANYTHING):
    """Read all polygons of a file.

    GeoJSON, text and .npy are read as in `read_polygon`, also if compressed with gzip; an .npy file
    may hold many rings of one length. GeoPackage, FlatGeobuf and Shapefile are read with pyogrio,
    GeoParquet with geopandas. pyarrow reads the columns of these four, so integers stay exact in a
    column with nulls. Annotations of COCO and labelme get the properties image, category and id.

    Parameters
    ----------
    file : str or Path
    skipped : LeftOut, optional
        Counts points and lines, which are left out, also of collections. If None, they are an
        error.
    choice : annotations.Choice, optional
        The image, categories and instances to read of a file of annotations.

    Returns
    -------
    Table

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file contains no polygons. The message names the file and the polygon.
    Unavailable
        If the library that reads the file is not installed.
    """
    (table,) = read_tables([file], skipped, choice)
    return table


def read_tables(files, skipped=None, choice=ANYTHING):
    """Read several files like `read_table`; omit those without the chosen image, with a warning."""
    tables, images, left_out = [], [], []
    for file in map(Path, files):
        try:
            tables.append(_read_table(file, skipped, choice))
        except NoImage as error:
            images += error.args
            left_out.append(called(file))
    if left_out:
        where = ", ".join(left_out) if tables or len(files) == 1 else "the files"
        names = list_names(dict.fromkeys(image.name for image in images))
        text = f"{where}: no image is called {quote(choice.image)}; there are {names}"
        if not tables:
            raise ValueError(text)
        warnings.warn(f"left out: {text}", stacklevel=2)
    return tables


def _read_table(file, skipped, choice):
    with named(file, CONTENT_ERRORS):
        if file.suffix.lower() in vector_files.SUFFIXES:
            annotation_files.refuse_choice(choice)
            return Table(*vector_files.read(file, skipped))
        features, system, *image = _read(file, skipped, choice)
        if not image:
            annotation_files.refuse_choice(choice)
        if isinstance(features, np.ndarray):
            return Table(_from_array(features), {})
    parts, properties = zip(*features, strict=True) if features else ((), ())
    if any(map(qupath.is_export, properties)):
        properties, image = [*map(qupath.with_class, properties)], [None, True]
    names = dict.fromkeys(name for record in properties for name in record)
    columns = {name: [record.get(name) for record in properties] for name in names}
    return Table(from_parts(parts), columns, system, *image)


def join_tables(tables):
    """Join the features of several tables into one; reference systems are not compared.

    Raises
    ------
    ValueError
        If they are for different images, have different categories, or differ in `center`.
    """
    every = [table.image for table in tables if table.image is not None]
    ids = {image.key: image for image in every if image.is_named and image.key is not None}
    known = [image if image.is_named else ids.get(image.key, image) for image in every]
    images = {image.name if image.is_named else image.key: image for image in known}
    if len(images) > 1:
        raise ValueError(
            f"files are for different images: {list_names(images)}; choose with --image"
        )
    shapes = {table.shape: None for table in tables if table.shape is not None}
    if len(shapes) > 1:
        raise ValueError(f"files are for images of different shapes: {', '.join(map(str, shapes))}")
    if len({table.center for table in tables}) > 1:
        raise ValueError(
            "integers are edges of pixels in annotations, but centres in other files: draw them "
            "separately"
        )
    categories = _categories(tables) if images and len(tables) > 1 else {}
    names = dict.fromkeys(name for table in tables for name in table.properties)
    columns = {
        name: [
            value
            for table in tables
            for value in table.properties.get(name) or [None] * table.polygons.features
        ]
        for name in names
    }
    if categories:  # also of files that have only their ids
        pairs = zip(columns["category_id"], columns["category"], strict=True)
        columns["category"] = [categories.get(key, name) for key, name in pairs]
    first = next((table.crs for table in tables if table.crs is not None), None)
    polygons = join([table.polygons for table in tables])
    shape, image = next(iter(shapes), None), next(iter(images.values()), None)
    return Table(polygons, columns, first, shape, tables[0].center, image)


def _categories(tables):
    """Return the names of categories by id; refuse a file that contradicts another."""
    seen = {}
    for table in tables:
        columns = (table.properties.get(name, ()) for name in ("category_id", "category"))
        pairs = dict.fromkeys(zip(*columns, strict=False))
        present = {(key, name): None for key, name in pairs if name != str(key)}
        others = {end: pair for pair in seen if pair not in present for end in enumerate(pair)}
        for pair in present:
            first = next((others[end] for end in enumerate(pair) if end in others), None)
            if first and pair not in seen:
                raise ValueError(
                    "files have different lists of categories: one has {} {}, another {} {}; "
                    "read one file at a time".format(*map(quote, first + pair))
                )
        seen |= present
    return dict(iter(seen))


def _from_array(array):
    """Convert an array of one polygon, or of many, to a Ragged."""
    if geometry.depth(array) == 3:
        return ragged(array)
    if error_text.is_flat(array.shape):  # probably other numbers, not a flat ring as in COCO
        raise ValueError(f"vertices must have the shape (N, 2) in a file, got {array.shape}")
    return from_parts([geometry.parts(array)])


def _read_text(file_bytes):
    try:
        lines = file_bytes.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError("not in a supported format: if it is text, save it as UTF-8") from None
    return [(geometry.parts(polygon), {}) for polygon in vertex_text.read(lines)]
