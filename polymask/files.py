"""Reading polygons from files."""

import io
import re
import textwrap
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

from polymask import geojson, geometry, refusals
from polymask.contract import Unavailable
from polymask.image_files import read_array
from polymask.ragged import Ragged, join, of_parts, ragged
from polymask.reading import called, content, named

JSON = ".geojson", ".json"
BEGINS_JSON = re.compile(rb"(\xef\xbb\xbf)?\s*[{\[]")  # a byte order mark, blanks
NAMES_OF_Y = "y", "lat", "latitude", "northing", "row"  # of columns: x comes first
BAD = ValueError, TypeError  # of what is in a file, which may be of any type
MOST_LAYERS = 5  # in a line
FRAMES = ".fgb", ".gpkg", ".shp", ".parquet", ".geoparquet"  # read by pyogrio or geopandas


class Feature(NamedTuple):
    """A polygon of a file, and what the file says of it.

    Attributes
    ----------
    parts : list of geometry.Rings
        Empty where the file gives no geometry.
    properties : dict
        Of a GeoJSON feature; empty for other files.
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

    Text has one vertex a line, x and y apart by blanks, a comma, a semicolon or a tab. Empty
    lines, what follows a #, and one line of column names at the top are passed over. Where the
    suffix does not tell the kind, the content does.

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
            f"{called(file)}: has {count} rings, a rung takes one; `polymask mask` takes all"
        )
    return rings[0].vertices


def read_features(file):
    """Read all polygons of a file, of the kinds that `read_polygon` or `read_tables` reads.

    Returns
    -------
    list of Feature
        All of a GeoJSON file's; one for other files.
    """
    file = Path(file)
    with named(file, BAD):
        if file.suffix.lower() in FRAMES:
            polygons, properties, _ = _read_frame(file)
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
        if refusals.is_flat(found.shape):  # a file of other numbers, rather than COCO's ring
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
    if suffix in JSON or BEGINS_JSON.match(found):
        return geojson.read(found, skipped)
    return _read_text(found), None


def read_tables(files, skipped=None):
    """Read all polygons of files, as many as there may be.

    GeoJSON, text and .npy as `read_polygon`, an .npy of many rings of one length too; GeoPackage,
    FlatGeobuf and Shapefile by pyogrio, GeoParquet by geopandas.

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
        If one holds no polygons; the text names file and polygon.
    Unavailable
        If the library that reads it is not installed.
    """
    tables = [_read_table(Path(file), skipped) for file in files]
    names = dict.fromkeys(name for table in tables for name in table.properties)
    columns = {
        name: [
            value
            for table in tables
            for value in table.properties.get(name) or [None] * table.polygons.features
        ]
        for name in names
    }
    crs = next((table.crs for table in tables if table.crs is not None), None)
    return Table(join([table.polygons for table in tables]), columns, crs)


def _read_table(file, skipped):
    with named(file, BAD):
        if file.suffix.lower() in FRAMES:
            return _read_frame(file, skipped)
        found, crs = _read(file, skipped)
        if isinstance(found, np.ndarray) and geometry.depth(found) == 3:
            return Table(ragged(found), {})
        features = _features(found)
    names = dict.fromkeys(name for feature in features for name in feature.properties)
    columns = {name: [feature.properties.get(name) for feature in features] for name in names}
    return Table(of_parts([feature.parts for feature in features]), columns, crs)


def _read_frame(file, skipped=None):
    """Read a file of geometries and columns by the library that knows it; shapely converts."""
    with file.open("rb"):  # in Python's words, if there is none
        pass
    try:
        import shapely  # noqa: F401, reads what the others hand out

        read = _read_parquet if "parquet" in file.suffix.lower() else _read_layer
        return read(file, skipped)
    except ModuleNotFoundError as error:
        raise Unavailable(
            f"{file}: needs {error.name}, which is not installed",
            "pip install geopandas pyogrio pyarrow",
        ) from None


def _read_layer(file, skipped):
    import pyogrio.errors
    import pyogrio.raw

    suffix = file.suffix.lower()
    if suffix == ".shp":
        _refuse_cut_short(file)
    try:
        with warnings.catch_warnings():  # of what shapely refuses then
            warnings.filterwarnings("ignore", "Non closed ring", RuntimeWarning)
            about, _, shapes, columns = pyogrio.raw.read(file, layer=_layer(file))
            told = pyogrio.read_info(file)["features"] if suffix == ".fgb" else 0
    except (
        pyogrio.errors.DataSourceError,
        pyogrio.errors.DataLayerError,
        pyogrio.errors.FeatureError,
        IndexError,  # pyogrio's own, of a FlatGeobuf that is cut short
    ) as error:
        raise ValueError(f"not to be read: {str(error).partition(';')[0]}") from None
    if shapes is None:
        raise ValueError("has no geometries")
    if len(shapes) < told:
        raise ValueError(f"not to be read: cut short, {len(shapes)} of {told} features")
    names = about["fields"].tolist()
    properties = {name: one.tolist() for name, one in zip(names, columns, strict=True)}
    return Table(_of_wkb(shapes, skipped), properties, about["crs"])


def _layer(file):
    """Return the layer of a file that has geometries; None where none has."""
    import pyogrio

    names = [name for name, kind in pyogrio.list_layers(file) if kind is not None]
    if len(names) > 1:
        some = ", ".join(map(refusals.shown, names[:MOST_LAYERS]))
        raise ValueError(
            f"has {len(names)} layers with geometries, and none says which: {some}; write one to "
            "a file of its own, by ogr2ogr say"
        )
    return names[0] if names else None


def _refuse_cut_short(shapefile):
    """Refuse a Shapefile that is shorter than its header says: GDAL leaves out what is missing."""
    with shapefile.open("rb") as opened:
        header = opened.read(28)
    length = 2 * int.from_bytes(header[24:28], "big")  # in words of 16 bits
    if (size := shapefile.stat().st_size) < length:
        raise ValueError(f"not to be read: cut short, {size} of {length} bytes")


def _read_parquet(file, skipped):
    import geopandas
    import pyarrow
    import shapely

    broken = pyarrow.ArrowException, shapely.errors.ShapelyError, ValueError, KeyError, OSError
    try:
        frame = geopandas.read_parquet(file)
        columns = frame.drop(columns=frame.active_geometry_name).astype(object)
    except broken as error:
        if getattr(error, "errno", None):  # the system's, not the Parquet library's
            raise
        raise ValueError(f"not GeoParquet: {str(error).splitlines()[0]}") from None
    columns = columns.where(columns.notna(), None)
    shapes = _of_shapely(np.asarray(frame.geometry), skipped)
    properties = {str(name): columns[name].tolist() for name in columns}
    return Table(shapes, properties, None if frame.crs is None else frame.crs.to_wkt())


def _of_wkb(shapes, skipped):
    import shapely

    if skipped is None and any(shape is not None for shape in shapes):
        return ragged(shapes)
    try:
        return _of_shapely(shapely.from_wkb(shapes), skipped)
    except shapely.errors.GEOSException as error:
        raise ValueError(f"not to be read: {str(error).splitlines()[0]}") from None


def _of_shapely(shapes, skipped):
    """Return an array of shapely's geometries; those that are no polygons may be skipped."""
    if skipped is not None:
        kinds = [None if shape is None else shape.geom_type for shape in shapes]
        other = np.array([kind in geometry.NO_POLYGONS for kind in kinds], bool)
        skipped.update(kind for kind in kinds if kind in geometry.NO_POLYGONS)
        shapes = np.where(other, None, shapes)
    if all(shape is None for shape in shapes):
        return of_parts([[] for _ in shapes])
    return ragged(shapes)


def _read_text(found):
    try:
        lines = found.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError(
            "neither text in UTF-8 nor .npy: if it is text, save it as UTF-8"
        ) from None
    vertices, names_seen = [], False
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].replace(",", " ").replace(";", " ").split()
        if not words:
            continue
        try:
            x, y = map(_number, words)
        except ValueError:
            is_first = not vertices and not names_seen
            if is_first and len(words) == 2 and not any(map(_is_number, words)):
                if words[0].strip("\"'").casefold() in NAMES_OF_Y:
                    named = refusals.shown(words[0])
                    raise ValueError(
                        f"line {number}: the first column is {named}, not x: swap the two"
                    ) from None
                names_seen = True
                continue
            said = textwrap.shorten(line[:200], 60, placeholder=" ...") or line.strip()[:60]
            raise ValueError(f"line {number}: expected two numbers, got {said!r}") from None
        vertices.append((x, y))
    if not vertices:
        raise ValueError("no line has two numbers")
    return np.array(vertices).reshape(-1, 2)


def _number(word):
    if "_" in word:  # which Python lets stand between digits
        raise ValueError
    return float(word)


def _is_number(word):
    try:
        float(word)
    except ValueError:
        return False
    return True
