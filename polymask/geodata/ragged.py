"""Many polygons as one: ragged arrays, as GeoArrow and `shapely.to_ragged_array` lay them out.

However the polygons come, after this border no Python object per polygon is left: kernels take
four arrays. Vertices that come as an array are not copied; offsets are, as they say where to read.
"""

from __future__ import annotations

import math
import numbers
import sys
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polymask import contract
from polymask.common import error_text
from polymask.contract import NO_SEQUENCES
from polymask.geodata import geoarrow, geometry

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import ArrayLike, NDArray

    from polymask.hints import Order, Polygons

CURVED = "a geometry has curves: make them straight, by ogr2ogr -nlt CONVERT_TO_LINEAR say"
OF_POLYGONS = ("POLYGON", "MULTIPOLYGON")  # of shapely.GeometryType


class Ragged(NamedTuple):
    """Features, each of polygons, each of rings, each of vertices; a feature has one label.

    Attributes
    ----------
    vertices : ndarray, shape (N, 2), float64, C-contiguous
        The vertices of all rings, columns x and y.
    ring_offsets : ndarray of int64, shape (R + 1,)
        Ring r is ``vertices[ring_offsets[r] : ring_offsets[r + 1]]``.
    polygon_offsets : ndarray of int64, shape (P + 1,), or None
        Into the rings, likewise. None: each ring is a polygon.
    feature_offsets : ndarray of int64, shape (F + 1,), or None
        Into the polygons, likewise. None: each polygon is a feature.
    """

    vertices: NDArray[np.float64]
    ring_offsets: NDArray[np.int64]
    polygon_offsets: NDArray[np.int64] | None = None
    feature_offsets: NDArray[np.int64] | None = None

    @property
    def features(self) -> int:
        """The number of features."""
        return _size(self, 3)

    def rings_of(self, feature: ArrayLike) -> tuple[Any, Any]:
        """Return the first ring of a feature, and the one behind its last; arrays if it is one."""
        return self._down(feature), self._down(np.add(feature, 1))

    def parts(self, feature: SupportsIndex) -> geometry.Parts:
        """Return a feature as `geometry.parts` does: a list of Rings, without copies."""
        first, last = feature, feature + 1
        if self.feature_offsets is not None:
            first, last = self.feature_offsets[first], self.feature_offsets[last]
        found = geometry.Parts()
        for polygon in range(first, last):
            ends = polygon, polygon + 1
            if self.polygon_offsets is not None:
                ends = self.polygon_offsets[polygon], self.polygon_offsets[polygon + 1]
            offsets = self.ring_offsets[ends[0] : ends[1] + 1]
            if len(offsets) > 1:
                starts = offsets[:-1] - offsets[0] if len(offsets) > 2 else None
                found.append(geometry.Rings(self.vertices[offsets[0] : offsets[-1]], starts))
        return found

    def copy(self) -> Ragged:
        """Return the same features in arrays of their own."""
        return Ragged(*(None if one is None else one.copy() for one in self))

    def some(self, first: int, last: int) -> Ragged:
        """Return the features from `first` on, up to `last`, not checked again nor copied."""
        top = max(level for level in (1, 2, 3) if self[level] is not None)
        offsets = self[top][first : last + 1]
        return _without_rest(self._replace(**{self._fields[top]: offsets}))

    def _down(self, feature):
        if self.feature_offsets is not None:
            feature = self.feature_offsets[feature]
        return feature if self.polygon_offsets is None else self.polygon_offsets[feature]


def ragged(polygons: Polygons, order: Order = "xy") -> Ragged:
    """Return a set of polygons as ragged arrays, checked.

    Parameters
    ----------
    polygons : Ragged, tuple, ndarray, sequence, mapping, or object
        Ragged arrays: ``(vertices, ring_offsets[, polygon_offsets[, feature_offsets]])``, or what
        `shapely.to_ragged_array` returns, whole or without the type. An (N, k, 2) array: N rings of
        k vertices, a polygon each; (N, r, k, 2): N polygons of r rings. A GeoSeries, a
        GeoDataFrame, a sequence or array of shapely's geometries, or a sequence of WKB: shapely
        converts it in one call. An array, stream or table of Arrow (`__arrow_c_array__`,
        `__arrow_c_stream__`; it takes pyarrow) of geoarrow.polygon, geoarrow.multipolygon or WKB. A
        sequence of what `geometry.parts` takes: (n, 2) arrays, flat ones as COCO's, lists of rings,
        GeoJSON. A FeatureCollection. What is None, null or empty becomes an empty feature.
    order : {"xy", "rc"}
        What the columns of vertices are.

    Returns
    -------
    Ragged
        Its offsets begin at 0, and end at the length of what they point into. The vertices are
        those given where they had the right dtype and layout.

    Raises
    ------
    TypeError
        If coordinates are not real numbers.
    ValueError
        If it is no set of polygons; the text names the first polygon that is bad.
    ImportError
        If WKB comes, and shapely is not installed; if Arrow comes, and pyarrow is not.

    Examples
    --------
    >>> from polymask.geodata.ragged import ragged
    >>> triangles = ragged([[(0, 0), (4, 0), (0, 4)], [(1, 1), (3, 1), (1, 3)]])
    >>> triangles.features
    2
    >>> triangles.ring_offsets
    array([0, 3, 6])
    """
    swap = contract.check_order(order)
    found = _convert(polygons, order)
    if isinstance(found, Ragged):
        return _checked(found, swap)
    return _of_list(found, order, swap)


def _convert(polygons, order):
    """Return what comes as arrays, or from shapely, as Ragged; else a list of polygons."""
    if isinstance(polygons, Ragged):
        return polygons
    if isinstance(polygons, tuple) and (arrays := _offset_arrays(polygons)):
        return Ragged(*arrays)
    if isinstance(polygons, np.ndarray) and (polygons.dtype != object or not polygons.ndim):
        return _of_array(polygons)
    if geoarrow.is_arrow(polygons):
        found = geoarrow.arrays(polygons)
        return Ragged(*found) if isinstance(found, tuple) else _of_wkb(found)
    frames = sys.modules.get("geopandas")
    if frames and isinstance(polygons, (frames.GeoSeries, frames.GeoDataFrame)):
        try:
            return _of_shapely(np.asarray(polygons.geometry))
        except AttributeError:  # in geopandas' words, of several lines
            raise ValueError("a GeoDataFrame without a geometry: see its set_geometry") from None
    try:
        if isinstance(polygons, NO_SEQUENCES):
            raise TypeError
        found = polygons if isinstance(polygons, np.ndarray) else geometry.features(polygons)
    except TypeError:
        raise TypeError(f"polygons must be a sequence, got {type(polygons).__name__}") from None
    kinds = set(map(type, found)) - {type(None)}
    if kinds and all(issubclass(kind, (bytes, bytearray, memoryview)) for kind in kinds):
        return _of_wkb(found)
    shapely = sys.modules.get("shapely")  # not imported: then there are none of its geometries
    if shapely and kinds and all(issubclass(kind, shapely.Geometry) for kind in kinds):
        array = np.empty(len(found), object)
        array[:] = found
        return _of_shapely(array)
    found = list(found)
    if found and geometry.depth(found[0]) == 1 and len(found[0]) == 2:
        _refuse_one((len(found), 2))
    if found and isinstance(found[0], numbers.Real):
        _refuse_one((len(found),))
    return found


def _refuse_one(shape):
    raise ValueError(f"one polygon, of shape {shape}, where many go: put it into a list")


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
    """Return an array of rings or polygons of the same number of vertices as Ragged."""
    if array.ndim == 1 or (geometry.depth(array) == 2 and array.shape[-1] == 2):
        _refuse_one(array.shape)
    if array.ndim not in (3, 4) or array.shape[-1] != 2:
        error_text.refuse_set(array.shape)
    length = array.shape[-2]
    vertices = contract.as_points(array.reshape(-1, 2), "vertices")
    rings = np.arange(math.prod(array.shape[:-2]) + 1) * length
    if array.ndim == 3:
        return Ragged(vertices, rings)
    return Ragged(vertices, rings, np.arange(len(array) + 1) * array.shape[1])


def _of_shapely(array):
    """Return an array of shapely's geometries, or of None, as Ragged."""
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
        return Ragged(np.empty((0, 2)), np.zeros(1, np.int64), np.zeros(len(array) + 1, np.int64))
    _, vertices, offsets = shapely.to_ragged_array(array, include_z=False)
    return Ragged(_flattened(vertices), *offsets)


def _of_wkb(found):
    """Return a list of WKB, bytes or None, as Ragged."""
    import shapely

    array = np.empty(len(found), object)
    array[:] = [None if one is None else bytes(one) for one in found]
    try:
        return _of_shapely(shapely.from_wkb(array))
    except shapely.errors.GEOSException as error:
        for number, one in enumerate(array):
            try:
                shapely.from_wkb(one)
            except shapely.errors.GEOSException:
                raise ValueError(f"polygon {number}: not WKB: {error}") from None
        raise
    except NotImplementedError:
        raise ValueError(CURVED) from None


def _of_list(found, order, swap):
    """Return a list of polygons in any form as Ragged: arrays of vertices at once."""
    kinds = set(map(type, found))
    rings, polygon_offsets = found, None
    if kinds and kinds <= {list, tuple} and all(found):
        rings = list(chain.from_iterable(found))
        polygon_offsets = _offsets_of(map(len, found))
    if set(map(type, rings)) == {np.ndarray} and {one.ndim for one in rings} == {2}:
        if all(dtype.kind in "iuf" for dtype in {one.dtype for one in rings}):
            if {one.shape[1] for one in rings} == {2}:
                with np.errstate(all="ignore"):  # a long double may overflow: found as infinite
                    vertices = np.concatenate(rings, dtype=np.float64, casting="unsafe")
                lengths = _offsets_of(map(len, rings))
                return _checked(Ragged(vertices, lengths, polygon_offsets), swap)
    return _one_by_one(found, order)


def _one_by_one(found, order):
    """Return polygons in forms of every kind as Ragged; `geometry.parts` checks each."""
    features = []
    for number, polygon in enumerate(found):
        try:
            features.append([] if polygon is None else geometry.parts(polygon, order))
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"polygon {number}: {error}") from None
    return of_parts(features)


def of_parts(features):
    """Return Rings that `geometry.parts` has checked, a list of them per feature, as Ragged."""
    polygons = list(chain.from_iterable(features))
    lengths = [
        np.diff(one.starts, append=len(one.vertices))
        if one.starts is not None
        else [len(one.vertices)]
        for one in polygons
    ]
    return Ragged(
        np.concatenate([one.vertices for one in polygons] or [np.empty((0, 2))]),
        _offsets_of(chain.from_iterable(lengths)),
        _offsets_of(map(len, lengths)),
        _offsets_of(map(len, features)),
    )


def _offsets_of(lengths):
    """Return where things of these lengths begin, and the last ends, when laid end to end."""
    return np.cumsum([0, *lengths], dtype=np.int64)


def join(sets):
    """Return the features of several Ragged as one, in their order."""
    if len(sets) == 1:
        return sets[0]
    levels = [[one.vertices for one in sets]]
    for level in (1, 2, 3):
        below = [0, *np.cumsum([_size(one, level - 1) for one in sets])]
        offsets = [
            np.arange(_size(one, level) + 1) if one[level] is None else one[level] for one in sets
        ]
        parts = [one[1:] + start for one, start in zip(offsets, below[:-1], strict=True)]
        levels.append([np.zeros(1, np.int64), *parts])
    return Ragged(*map(np.concatenate, levels))


def _size(found, level):
    """Return how many vertices, rings, polygons or features there are."""
    if level == 0:
        return len(found.vertices)
    offsets = found[level]
    return _size(found, level - 1) if offsets is None else len(offsets) - 1


def _checked(found, swap):
    """Check arrays, and cut off what no feature refers to."""
    vertices = contract.as_points(found.vertices, "vertices")
    rings = _check_offsets(found, 1, len(vertices), "vertices")
    polygons = features = None
    if found.polygon_offsets is not None:
        polygons = _check_offsets(found, 2, len(rings) - 1, "rings")
    if found.feature_offsets is not None:
        below = rings if polygons is None else polygons
        features = _check_offsets(found, 3, len(below) - 1, "polygons")
    result = _without_rest(Ragged(vertices, rings, polygons, features))
    _check_rings(result)
    if swap:
        result = result._replace(vertices=np.ascontiguousarray(result.vertices[:, ::-1]))
    return result


def _without_rest(found):
    """Cut off what no feature refers to; offsets begin at 0 then."""
    levels = list(found)
    present = [level for level in (3, 2, 1) if levels[level] is not None]
    for level, below in zip(present, [*present[1:], 0], strict=True):
        offsets = levels[level]
        first, last = offsets[0], offsets[-1]
        end = len(levels[below]) - (below > 0)
        if first or last != end:
            levels[level] = offsets - first
            levels[below] = levels[below][first : last + (below > 0)]
    return Ragged(*levels)


def _check_offsets(found, level, length, below):
    """Return one of the arrays of offsets as int64, if it only ascends and stays within range."""
    name = found._fields[level]
    contract.refuse_masked(found[level], name)
    offsets = np.array(found[level])  # what is checked must stay as it is
    if offsets.ndim != 1 or not offsets.size or offsets.dtype.kind not in "iu":
        raise ValueError(
            f"{name} must be integers, one more than it describes, "
            f"got shape {offsets.shape}, dtype {offsets.dtype}"
        )
    if offsets[0] < 0:
        raise ValueError(f"{name} begin at {offsets[0]}, below 0")
    descents = offsets[1:] < offsets[:-1]
    if descents.any():
        first = int(descents.argmax())
        raise ValueError(f"{name} descend: {offsets[first]} at {first}, then {offsets[first + 1]}")
    if offsets[-1] > length:
        raise ValueError(f"{name} end at {offsets[-1]}, beyond the {length} {below}")
    return contract.as_read(offsets, np.int64)


def _check_rings(found):
    """Check the length of each ring and polygon, and that no coordinate is too large, or NaN."""
    vertices, rings = found.vertices, found.ring_offsets
    lengths = np.diff(rings)
    if lengths.size and lengths.min() < 3:
        _refuse(found, int((lengths < 3).argmax()))
    ends = rings if found.polygon_offsets is None else rings[found.polygon_offsets]
    if len(vertices) > geometry.MOST_VERTICES and np.diff(ends).max() > geometry.MOST_VERTICES:
        raise ValueError(f"a polygon has at most {geometry.MOST_VERTICES} vertices")
    if len(vertices) and not contract.are_computable(vertices):
        first = int((~(np.abs(vertices) <= 2.0**contract.FARTHEST)).any(axis=1).argmax())
        _refuse(found, int(np.searchsorted(rings, first, side="right")) - 1)


def _refuse(found, ring):
    """Raise the error of a bad ring, which names its feature."""
    number = ring
    for offsets in (found.polygon_offsets, found.feature_offsets):
        if offsets is not None:
            number = int(np.searchsorted(offsets, number, side="right")) - 1
    start, stop = found.ring_offsets[ring : ring + 2]
    try:
        contract.refuse_vertices(contract.as_vertices(found.vertices[start:stop]))
    except ValueError as error:
        raise ValueError(f"polygon {number}: {error}") from None
