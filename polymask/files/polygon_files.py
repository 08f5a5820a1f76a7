"""Reading polygons from files."""

import io
from pathlib import Path
from typing import NamedTuple

import numpy as np

from polymask.common import error_text, json_text
from polymask.common.stdin_io import called, content, named
from polymask.files import coco_json, geojson, labelme_json, vector_files, vertex_text
from polymask.files.coco_json import Choice, Image
from polymask.files.image_files import read_array
from polymask.forms import geometry
from polymask.forms.ragged import Ragged, from_parts, join, ragged

BY_LINES = ".geojsonl", ".geojsons", ".geojsonseq", ".jsonl", ".ndjson"
JSON = ".geojson", ".json", *BY_LINES
ANNOTATED = b'"annotations"', b'"segmentation"', b'"shapes"'  # in files of COCO and labelme
READERS = (coco_json.is_coco, coco_json.read), (labelme_json.is_labelme, labelme_json.read)
# Values of a property of QuPath's GeoJSON, in which integers are edges of pixels, as in COCO.
QUPATHS = "annotation", "detection", "cell", "tile", "tma_core", "root"
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
    image : coco_json.Image or None
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
    Comments after a # and one line of column names at the top are ignored. A blank line ends a
    polygon. If the suffix does not determine the format, the content does.

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
    file_bytes = content(file)
    if suffix == ".npy" or file_bytes.startswith(np.lib.format.MAGIC_PREFIX):  # from a pipe
        return read_array(io.BytesIO(file_bytes)), None
    if suffix not in JSON and not json_text.BEGINS.match(file_bytes):
        return _read_text(file_bytes), None
    by_lines = suffix in BY_LINES
    if not by_lines and any(name in file_bytes for name in ANNOTATED):
        document = json_text.parse(file_bytes)
        for is_of, read in READERS:
            if is_of(document):
                features, image = read(document, choice, skipped)
                return features, None, image and image.shape, True, image
    return geojson.read(file_bytes, skipped, by_lines)


def read_table(file, skipped=None, choice=ANYTHING):
    """Read all polygons of a file.

    GeoJSON, text and .npy are read as in `read_polygon`; an .npy file may hold many rings of one
    length. GeoPackage, FlatGeobuf and Shapefile are read with pyogrio, GeoParquet with geopandas.
    pyarrow reads the columns of these four, so integers stay exact in a column with nulls.
    Annotations of COCO and labelme get the properties image, category and id.

    Parameters
    ----------
    file : str or Path
    skipped : LeftOut, optional
        Counts points and lines, which are left out, also of collections. If None, they are an
        error.
    choice : coco_json.Choice, optional
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
    file = Path(file)
    with named(file, CONTENT_ERRORS):
        if file.suffix.lower() in vector_files.SUFFIXES:
            coco_json.refuse_choice(choice)
            return Table(*vector_files.read(file, skipped))
        features, system, *image = _read(file, skipped, choice)
        if not image:
            coco_json.refuse_choice(choice)
        if isinstance(features, np.ndarray):
            return Table(_from_array(features), {})
    parts, properties = zip(*features, strict=True) if features else ((), ())
    if any(map(_is_of_qupath, properties)):
        properties, image = [*map(_with_class, properties)], [None, True]
    names = dict.fromkeys(name for record in properties for name in record)
    columns = {name: [record.get(name) for record in properties] for name in names}
    return Table(from_parts(parts), columns, system, *image)


def _is_of_qupath(properties):
    object_type = properties.get("objectType", properties.get("object_type"))
    return isinstance(object_type, str) and object_type.lower() in QUPATHS


def _with_class(properties):
    """Return QuPath's properties with the name of the class instead of its description."""
    match properties.get("classification"):
        case {"name": name}:
            return properties | {"classification": name}
        case {"names": [*names]}:  # joined as QuPath shows them
            return properties | {"classification": ": ".join(map(str, names))}
    return properties


def join_tables(tables):
    """Join the features of several tables into one; reference systems are not compared.

    Raises
    ------
    ValueError
        If one of several is of annotations, or if they differ in `center`.
    """
    if len(tables) == 1:
        return tables[0]
    if any(table.image is not None for table in tables):
        raise ValueError("annotations are read from one file: draw other files separately")
    if len({table.center for table in tables}) > 1:
        raise ValueError(
            "integers are edges of pixels in QuPath's GeoJSON, but centres in other files: draw "
            "them separately"
        )
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
    polygons = join([table.polygons for table in tables])
    return Table(polygons, columns, first, center=tables[0].center)


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
        raise ValueError(
            "neither GeoJSON nor columns of text, nor another file with the suffix of its format: "
            "if it is text, save it as UTF-8"
        ) from None
    return [(geometry.parts(polygon), {}) for polygon in vertex_text.read(lines)]
