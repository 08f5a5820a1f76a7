"""The forms in which a polygon may come: an array, rings, GeoJSON, or what has a geo interface."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polymask import contract
from polymask.common import error_text
from polymask.common.error_text import shown
from polymask.geodata import other_formats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from polymask.hints import Order, Polygon

MOST_DEPTH = 5  # of lists in lists that is looked at: one that contains itself has no end
NO_POLYGONS = "Point", "MultiPoint", "LineString", "MultiLineString", "GeometryCollection"
MOST_VERTICES = 2**30  # of one polygon: what the engine's records can number
FARTHEST = 510  # as power of two: products of two differences of such numbers are finite


class NoPolygon(ValueError):
    """A geometry of another kind, which GeoJSON knows.

    Attributes
    ----------
    kind : str
        Its type, "Point" say.
    """

    def __init__(self, text, kind):
        super().__init__(text)
        self.kind = kind


class Rings(NamedTuple):
    """A polygon of one or more rings, filled by the even-odd rule over all of them.

    Attributes
    ----------
    vertices : ndarray, shape (N, 2), float64, C-contiguous
        The vertices of all rings, columns x and y.
    starts : ndarray of int64 or None
        Index of each ring's first vertex; None for a single ring.
    """

    vertices: NDArray[np.float64]
    starts: NDArray[np.int64] | None


class Parts(list[Rings]):
    """A list of Rings that are checked already."""


def parts(polygon: Polygon, order: Order = "xy") -> list[Rings]:
    """Return the polygons that `polygon` consists of; the mask is the OR of theirs.

    Parameters
    ----------
    polygon : array_like, sequence of array_like, mapping, or object
        An (N, 2) array of vertices; or x, y, x, y, ... as COCO has them, in a list of their own or
        not; a sequence of rings; a GeoJSON-like mapping of the type Polygon, MultiPolygon or
        Feature; or an object with `__geo_interface__`. A GeoJSON position may have more than two
        numbers: the first two are x and y.
    order : {"xy", "rc"}
        What the columns are. "rc": row and column, that is y and x.

    Returns
    -------
    list of Rings
        Checked and converted; empty where a geometry has no coordinates. Vertices are copies:
        another thread may write to those it was given, or the call itself to an `out` that they
        share memory with, while compiled code reads them without looking again where they lie.

    Raises
    ------
    TypeError
        If coordinates are not real numbers.
    ValueError
        If it is no polygon.
    """
    swap = contract.check_order(order)
    if isinstance(polygon, Parts):
        copies = [Rings(vertices.copy(), starts) for vertices, starts in polygon]
        for vertices, _ in copies:  # of a Ragged that was made by hand, say
            if not are_computable(vertices):
                refuse_vertices(vertices)
        return copies
    if isinstance(polygon, list) and depth(polygon) == 4:  # as GeoJSON nests a MultiPolygon
        return [_rings(rings, swap) for rings in polygon if _has_rings(rings)]
    found = getattr(polygon, "__geo_interface__", polygon)
    if isinstance(found, Mapping):
        try:
            polygons = [rings for rings in _coordinates(found) if not _is_none(rings)]
            polygons = [[_flat(ring) for ring in rings] for rings in polygons]
        except (TypeError, KeyError, IndexError):  # what is no list, or has no first element
            raise ValueError("GeoJSON coordinates are not nested as a polygon's rings") from None
    elif depth(found) == 3:
        if not len(found):  # an array of no rings, as an empty list
            error_text.refuse_shape(found.shape, "vertices")
        polygons = [list(found)]
    else:
        polygons = [[found]]
    return [_rings(rings, swap) for rings in polygons if rings]


def arrays_of_each(polygons, order="xy"):
    """Return the ragged arrays of a list of polygons; errors name the polygon."""
    if polygons:
        refuse_one(polygons)
    features = []
    for number, polygon in enumerate(polygons):
        try:
            features.append([] if polygon is None else parts(polygon, order))
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"polygon {number}: {error}") from None
    return arrays_of(features)


def arrays_of(features):
    """Return the ragged arrays of features, each a list of Rings: vertices, and three offsets."""
    polygons = list(chain.from_iterable(features))
    lengths = [
        np.diff(one.starts, append=len(one.vertices))
        if one.starts is not None
        else [len(one.vertices)]
        for one in polygons
    ]
    return (
        np.concatenate([one.vertices for one in polygons] or [np.empty((0, 2))]),
        offsets_of(chain.from_iterable(lengths)),
        offsets_of(map(len, lengths)),
        offsets_of(map(len, features)),
    )


def offsets_of(lengths):
    """Return where things of these lengths begin, and the last ends, when laid end to end."""
    return np.cumsum([0, *lengths], dtype=np.int64)


def refuse_one(polygons):
    """Refuse a single polygon, flat or of pairs, where a sequence of polygons goes."""
    first = polygons[0]
    if isinstance(first, numbers.Real):
        refuse_shape_of_one((len(polygons),))
    if depth(first) == 1 and len(first) == 2:
        refuse_shape_of_one((len(polygons), 2))


def refuse_shape_of_one(shape):
    """Raise that error."""
    raise ValueError(f"one polygon, of shape {shape}, where many go: put it into a list")


def features(polygons):
    """Return the single polygons of a collection: a sequence, or a GeoJSON FeatureCollection."""
    found = getattr(polygons, "__geo_interface__", polygons)
    if not isinstance(found, Mapping):
        return list(polygons)
    if found.get("type") != "FeatureCollection":
        other_formats.refuse_mapping(found)
        return [found]
    members = _member(found, "features")
    if isinstance(members, (Mapping, str)) or not isinstance(members, Iterable):
        raise ValueError(
            f"features of a GeoJSON FeatureCollection must be a list, got {shown(members)}"
        )
    return list(members)


def _coordinates(mapping):
    """Return the coordinates of a GeoJSON-like mapping: polygons, each a list of rings."""
    kind = mapping.get("type")
    if kind == "Feature":
        geometry = mapping.get("geometry")
        if geometry is None:
            return []
        found = geometry.get("type") if isinstance(geometry, Mapping) else geometry
        if found is geometry or found == "Feature":
            raise ValueError(f"geometry of a GeoJSON Feature must be a Polygon, got {shown(found)}")
        return _coordinates(geometry)
    if kind == "Polygon":
        return [_member(mapping, "coordinates")]
    if kind == "MultiPolygon":
        return list(_member(mapping, "coordinates"))
    other_formats.refuse_mapping(mapping)
    hint = "; label_mask takes all its features" if kind == "FeatureCollection" else ""
    got = shown(kind) if "type" in mapping else f"no type among the keys {shown(list(mapping))}"
    said = f"GeoJSON must be a Polygon, MultiPolygon or Feature, got {got}{hint}"
    raise NoPolygon(said, kind) if kind in NO_POLYGONS else ValueError(said)


def _member(mapping, name):
    """Return a member that GeoJSON wants there."""
    if name not in mapping:
        raise ValueError(f"GeoJSON {mapping.get('type')} has no {name}")
    return mapping[name]


def _has_rings(rings):
    """Whether a polygon in a list of some is not empty; refuse what is none."""
    if not hasattr(rings, "__len__") or getattr(rings, "ndim", 1) == 0:
        error_text.refuse_kind(rings, "vertices")
    return len(rings) > 0 and not _is_none(rings)


def _is_none(rings):
    """Whether it is [[]], as shapely writes an empty part."""
    return len(rings) == 1 and isinstance(rings[0], (list, tuple)) and not rings[0]


def _flat(ring):
    """Drop what positions have beyond x and y, an altitude say."""
    return [position[:2] for position in ring]


def depth(found, most=MOST_DEPTH):
    """Return how deep the nesting is, up to `most`: 2 for points, 3 for a list of rings."""
    if hasattr(found, "ndim"):
        return 2 if found.shape[1:] == (1, 2) else found.ndim  # (N, 1, 2): OpenCV's contours
    if most and isinstance(found, (list, tuple)) and found:
        return 1 + depth(found[0], most - 1)
    return 0


def _rings(rings, swap):
    """Put the vertices of one polygon's rings into one array, and check them there.

    They are copied first: another thread may write to what it gave, but not to the copy.
    """
    arrays = [contract.as_vertices(ring, flat=len(rings) == 1) for ring in rings]
    if swap:
        arrays = [ring[:, ::-1] for ring in arrays]
    if sum(map(len, arrays)) > MOST_VERTICES:
        raise ValueError(f"a polygon has at most {MOST_VERTICES} vertices")
    starts = np.cumsum([0, *map(len, arrays[:-1])], dtype=np.int64)
    vertices = np.ascontiguousarray(np.concatenate(arrays))
    if not are_computable(vertices):
        for ring in np.split(vertices, starts[1:]):
            refuse_vertices(ring[:, ::-1] if swap else ring)
    return Rings(vertices, starts if len(arrays) > 1 else None)


def are_computable(vertices):
    """Whether all vertices are finite, and no product of their coordinates overflows.

    If one does, the mask by the rule is not the polygon's. Rungs take such vertices, as they all
    give the same mask; users of the library do not get it.
    """
    most = 2.0**FARTHEST
    return -most <= vertices.min() and vertices.max() <= most  # NaN is neither


def refuse_vertices(vertices):
    """Raise the error that names the first vertex that is not finite, or lies too far out."""
    if not np.isfinite(vertices).all():
        contract.refuse_not_finite(vertices)
    check_near(vertices, FARTHEST, "products of coordinates would overflow")


def check_near(vertices, power, why):
    """Refuse vertices farther from 0 than that power of two."""
    most = 2.0**power
    if len(vertices) and max(vertices.max(), -vertices.min()) > most:
        first = int((np.abs(vertices) > most).any(axis=1).argmax())
        x, y = vertices[first].tolist()
        raise ValueError(f"vertex {first} lies beyond 2**{power}, at ({x}, {y}): {why}")
