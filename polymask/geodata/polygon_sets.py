"""The forms in which many polygons may come: arrays, sequences, Arrow, shapely, WKB."""

import math
import sys
from itertools import chain

import numpy as np

from polymask import contract
from polymask.common import error_text
from polymask.geodata import geoarrow, geometry

CURVED = "a geometry has curves: make them straight, by ogr2ogr -nlt CONVERT_TO_LINEAR say"
OF_POLYGONS = ("POLYGON", "MULTIPOLYGON")  # of shapely.GeometryType
BYTES = bytes, bytearray, memoryview


def read(polygons):
    """Return a set of polygons in any form that `polymask.ragged.ragged` lists, unchecked.

    Returns
    -------
    tuple of ndarray, or list
        The fields of `Ragged` from the first on; or polygons, each in a form of its own.
    """
    if type(polygons) is not list:
        arrays = _of_one_object(polygons)
        if arrays is not None:
            return arrays
        polygons = _members(polygons)
    kinds = set(map(type, polygons)) - {type(None)}
    if kinds and all(issubclass(kind, BYTES) for kind in kinds):
        return of_wkb(polygons)
    shapely = sys.modules.get("shapely")  # not imported: then there are none of its geometries
    if shapely and kinds and all(issubclass(kind, shapely.Geometry) for kind in kinds):
        return of_shapely(_object_array(polygons))
    arrays = _joined(polygons)
    return polygons if arrays is None else arrays


def _of_one_object(polygons):
    """Return the arrays of what has all polygons in one object, None if it is a sequence."""
    if isinstance(polygons, tuple) and (arrays := _offset_arrays(polygons)):
        return arrays
    if isinstance(polygons, np.ndarray) and (polygons.dtype != object or not polygons.ndim):
        return _of_array(polygons)
    if geoarrow.is_arrow(polygons):
        found = geoarrow.arrays(polygons)
        return found if isinstance(found, tuple) else of_wkb(found)
    frames = sys.modules.get("geopandas")
    if frames and isinstance(polygons, (frames.GeoSeries, frames.GeoDataFrame)):
        try:
            return of_shapely(np.asarray(polygons.geometry))
        except AttributeError:  # in geopandas' words, of several lines
            raise ValueError("a GeoDataFrame without a geometry: see its set_geometry") from None
    return None


def _members(polygons):
    """Return a sequence, or the features of a GeoJSON collection, as a list."""
    try:
        if isinstance(polygons, contract.NO_SEQUENCES):
            raise TypeError
        return geometry.features(polygons)
    except TypeError:
        raise TypeError(f"polygons must be a sequence, got {type(polygons).__name__}") from None


def _offset_arrays(found):
    """Return vertices and offsets of a tuple of them, None if it is something else."""
    if len(found) == 3 and getattr(found[0], "name", None) in OF_POLYGONS:
        found = found[1:]  # the type comes first in what shapely.to_ragged_array returns
    if len(found) == 2 and isinstance(found[1], tuple) and geometry.depth(found[1]) > 1:
        found = (_flattened(found[0]), *found[1])
    if not 2 <= len(found) <= 4 or getattr(found[0], "ndim", 0) != 2:
        return None
    rings, *above = map(geometry.depth, found[1:])
    given = (depth == 1 or one is None for depth, one in zip(above, found[2:], strict=True))
    return found if rings == 1 and all(given) else None


def _flattened(vertices):
    """Drop Z and M of what shapely's ragged arrays have of them."""
    has_more = type(vertices) is np.ndarray and vertices.ndim == 2 and vertices.shape[1] in (3, 4)
    return vertices[:, :2] if has_more else vertices


def _of_array(array):
    """Return an array of rings or polygons of the same number of vertices as ragged arrays."""
    if array.ndim == 1 or (geometry.depth(array) == 2 and array.shape[-1] == 2):
        geometry.refuse_shape_of_one(array.shape)
    if array.ndim not in (3, 4) or array.shape[-1] != 2:
        error_text.refuse_set(array.shape)
    length = array.shape[-2]
    vertices = contract.as_points(array.reshape(-1, 2), "vertices")
    rings = np.arange(math.prod(array.shape[:-2]) + 1) * length
    if array.ndim == 3:
        return vertices, rings
    return vertices, rings, np.arange(len(array) + 1) * array.shape[1]


def of_shapely(array):
    """Return an array of shapely's geometries, or of None, as ragged arrays."""
    import shapely

    kinds = shapely.get_type_id(array)
    other = ~np.isin(kinds, (-1, *(shapely.GeometryType[kind] for kind in OF_POLYGONS)))
    if other.any():
        filled = np.flatnonzero(other & ~shapely.is_empty(array))
        if filled.size:
            first = int(filled[0])
            raise ValueError(
                f"polygon {first}: geometry must be a Polygon or MultiPolygon, "
                f"got {array[first].geom_type!r}"
            )
        array = np.where(other, None, array)
    if (kinds == -1).all() or other.all():
        return np.empty((0, 2)), np.zeros(1, np.int64), np.zeros(len(array) + 1, np.int64)
    _, vertices, offsets = shapely.to_ragged_array(array, include_z=False)
    return _flattened(vertices), *offsets


def of_wkb(found):
    """Return a list of WKB, bytes or None, as ragged arrays."""
    import shapely

    array = _object_array([None if one is None else bytes(one) for one in found])
    try:
        return of_shapely(shapely.from_wkb(array))
    except shapely.errors.GEOSException as error:
        for number, one in enumerate(array):
            try:
                shapely.from_wkb(one)
            except shapely.errors.GEOSException:
                raise ValueError(f"polygon {number}: not WKB: {error}") from None
        raise
    except NotImplementedError:
        raise ValueError(CURVED) from None


def _object_array(values):
    """Return an array of objects, of which NumPy makes no more dimensions."""
    array = np.empty(len(values), object)
    array[:] = values
    return array


def _joined(found):
    """Return a list of arrays, or of lists of arrays, as ragged arrays; None if it is no such."""
    kinds = set(map(type, found))
    is_nested = bool(kinds) and kinds <= {list, tuple} and all(found)
    rings = list(chain.from_iterable(found)) if is_nested else found
    if set(map(type, rings)) != {np.ndarray} or {one.shape[1:] for one in rings} != {(2,)}:
        return None
    if any(dtype.kind not in "iuf" for dtype in {one.dtype for one in rings}):
        return None
    with np.errstate(all="ignore"):  # a long double may overflow: found as infinite
        vertices = np.concatenate(rings, dtype=np.float64, casting="unsafe")
    polygon_offsets = geometry.offsets_of(map(len, found)) if is_nested else None
    return vertices, geometry.offsets_of(map(len, rings)), polygon_offsets
