"""The accepted forms of many polygons: arrays, sequences, Arrow, shapely, WKB."""

import math
import sys
from itertools import chain

import numpy as np

from polymask import contract
from polymask.common import error_text
from polymask.forms import geoarrow, geometry, mappings

CURVED = "a geometry has curves: convert them to lines with ogr2ogr -nlt CONVERT_TO_LINEAR"
POLYGON_TYPES = ("POLYGON", "MULTIPOLYGON")  # of shapely.GeometryType
BYTES = bytes, bytearray, memoryview


def read(polygons, left_out=None):
    """Read a set of polygons in any form that `polymask.ragged.ragged` accepts, without checks.

    `left_out` is None, or the `LeftOut` of `ragged`.

    Returns
    -------
    arrays : tuple of ndarray, or list
        The first fields of `Ragged`, or a list of polygons, each in its own form.
    are_given : bool
        Whether the arrays are the caller's, so that even their offsets must be checked.
    """
    if type(polygons) is list:
        return _from_list(polygons, left_out), False
    if isinstance(polygons, tuple) and (arrays := _offset_arrays(polygons)):
        return arrays, True
    if geoarrow.is_arrow(polygons):
        arrays = geoarrow.arrays(polygons)
        is_tuple = isinstance(arrays, tuple)
        return arrays if is_tuple else from_wkb(arrays, left_out), is_tuple
    arrays = _from_object(polygons, left_out)
    return _from_list(_members(polygons), left_out) if arrays is None else arrays, False


def _from_list(polygons, left_out):
    """Convert a list of polygons to arrays; return the list if they must be read one by one."""
    classes = set(map(type, polygons)) - {type(None)}
    if classes and all(issubclass(each, BYTES) for each in classes):
        return from_wkb(polygons, left_out)
    shapely = sys.modules.get("shapely")  # if it is not imported, no polygon is its geometry
    if shapely and classes and all(issubclass(each, shapely.Geometry) for each in classes):
        return from_shapely(_object_array(polygons), left_out)
    arrays = _concatenate(polygons)
    return polygons if arrays is None else arrays


def _from_object(polygons, left_out):
    """Convert an object that holds all polygons to arrays; return None for a sequence."""
    if isinstance(polygons, np.ndarray) and (polygons.dtype != object or not polygons.ndim):
        return _from_array(polygons)
    frames = sys.modules.get("geopandas")
    if frames and isinstance(polygons, (frames.GeoSeries, frames.GeoDataFrame)):
        try:
            return from_shapely(np.asarray(polygons.geometry), left_out)
        except AttributeError:  # its message has several lines
            raise ValueError("the GeoDataFrame has no geometry: use set_geometry") from None
    return None


def _members(polygons):
    """List the polygons of a sequence, or the features of a GeoJSON collection."""
    try:
        if isinstance(polygons, contract.NOT_SEQUENCES):
            raise TypeError
        return geometry.features(polygons)
    except TypeError:
        got = error_text.type_name(polygons)
        raise TypeError(f"polygons must be a sequence, got {got}") from None


def _offset_arrays(arrays):
    """Return the arrays of a tuple of vertices and offsets, or None for any other tuple."""
    if len(arrays) == 3 and getattr(arrays[0], "name", None) in POLYGON_TYPES:
        arrays = arrays[1:]  # the result of shapely.to_ragged_array begins with the type
    if len(arrays) == 2 and isinstance(arrays[1], tuple) and geometry.depth(arrays[1]) > 1:
        arrays = (_drop_z(arrays[0]), *arrays[1])
    if not 2 <= len(arrays) <= 4 or getattr(arrays[0], "ndim", 0) != 2:
        return None
    rings, *above = map(geometry.depth, arrays[1:])
    are_flat = (depth == 1 or level is None for depth, level in zip(above, arrays[2:], strict=True))
    return arrays if rings == 1 and all(are_flat) else None


def _drop_z(vertices):
    """Return the vertices of shapely's ragged arrays without Z and M."""
    has_more = type(vertices) is np.ndarray and vertices.ndim == 2 and vertices.shape[1] in (3, 4)
    return vertices[:, :2] if has_more else vertices


def _from_array(array):
    """Convert an array of rings or polygons with equal numbers of vertices to ragged arrays."""
    if array.ndim == 1 or (geometry.depth(array) == 2 and array.shape[-1] == 2):
        geometry.refuse_single_shape(array.shape)
    if array.ndim not in (3, 4) or array.shape[-1] != 2:
        error_text.refuse_set(array.shape)
    length = array.shape[-2]
    vertices = contract.as_points(array.reshape(-1, 2), "vertices")
    rings = np.arange(math.prod(array.shape[:-2]) + 1, dtype=np.int64) * length
    if array.ndim == 3:
        return vertices, rings
    return vertices, rings, np.arange(len(array) + 1, dtype=np.int64) * array.shape[1]


def from_shapely(array, left_out=None):
    """Convert an array of shapely geometries or None to ragged arrays.

    Points and lines are counted in `left_out`, or an error if that is None.
    """
    import shapely

    known = -1, *(shapely.GeometryType[name] for name in POLYGON_TYPES)
    is_other = ~np.isin(shapely.get_type_id(array), known)
    if is_other.any():
        array = array.copy()
        for number in np.flatnonzero(is_other).tolist():
            try:
                skipped = None if left_out is None else left_out.of(number)
                array[number] = _only_polygons(array[number], skipped)
            except ValueError as error:
                raise ValueError(f"polygon {number}: {error}") from None
    if (shapely.get_type_id(array) == -1).all():
        return np.empty((0, 2)), np.zeros(1, np.int64), np.zeros(len(array) + 1, np.int64)
    _, vertices, offsets = shapely.to_ragged_array(array, include_z=False)
    vertices = np.ascontiguousarray(_drop_z(vertices))
    return vertices, *(np.asarray(each, np.int64) for each in offsets)


def _only_polygons(shape, skipped, inside=""):
    """Return the MultiPolygon of a collection's polygons, or None without polygons."""
    import shapely

    type_name = shape.geom_type
    if shape.is_empty:
        return None
    if type_name == "GeometryCollection":
        inside = mappings.IN_COLLECTION
        members = (_only_polygons(member, skipped, inside) for member in shape.geoms)
        parts = [shapely.get_parts(member) for member in members if member is not None]
        return shapely.multipolygons(np.concatenate(parts)) if parts else None
    if type_name.upper() in POLYGON_TYPES:
        return shape
    if skipped is None:
        must = f"geometry must be a Polygon or MultiPolygon, got {type_name!r}{inside}"
        raise ValueError(f"{must}: remove it" if inside else must)
    skipped[type_name + inside] += 1
    return None


def from_wkb(geometries, left_out=None):
    """Convert a list of WKB bytes or None to ragged arrays; `left_out` is that of `ragged`."""
    import shapely

    array = _object_array([None if wkb is None else bytes(wkb) for wkb in geometries])
    try:
        try:
            array = shapely.from_wkb(array)
        except shapely.errors.GEOSException:
            array = _object_array([_of_wkb(*each, left_out) for each in enumerate(array)])
    except NotImplementedError:
        raise ValueError(CURVED) from None
    return from_shapely(array, left_out)


def _of_wkb(number, wkb, left_out):
    import shapely

    try:
        return shapely.from_wkb(wkb)
    except shapely.errors.GEOSException as error:
        if left_out is None:
            raise ValueError(f"polygon {number}: not WKB: {error}") from None
        left_out.add_invalid(number, f"not WKB: {error}")
        return None


def _object_array(values):
    """Convert values to a one-dimensional array of objects, even if they are sequences."""
    array = np.empty(len(values), object)
    array[:] = values
    return array


def _concatenate(polygons):
    """Convert a list of arrays, of lists of arrays, or of lists of pairs, to ragged arrays.

    Return None for other lists.
    """
    kinds = set(map(type, polygons))
    is_nested = bool(kinds) and kinds <= {list, tuple} and all(polygons)
    rings = list(chain.from_iterable(polygons)) if is_nested else polygons
    if is_nested and set(map(type, rings)) <= {list, tuple}:
        rings, is_nested = [geometry.as_pairs(polygon) for polygon in polygons], False
    if set(map(type, rings)) != {np.ndarray} or {ring.shape[1:] for ring in rings} != {(2,)}:
        return None
    if any(dtype.kind not in "iuf" for dtype in {ring.dtype for ring in rings}):
        return None
    with np.errstate(all="ignore"):  # a long double may overflow; infinity is refused later
        vertices = np.concatenate(rings, dtype=np.float64, casting="unsafe")
    polygon_offsets = geometry.offsets_of(map(len, polygons)) if is_nested else None
    return vertices, geometry.offsets_of(map(len, rings)), polygon_offsets
