"""The accepted forms of a polygon: arrays, rings, GeoJSON, and objects with `__geo_interface__`."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from polymask import contract
from polymask.common import error_text
from polymask.forms import mappings
from polymask.forms.left_out import LeftOut

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from polymask.hints import Order, Polygon

MOST_DEPTH = 5  # levels of nesting to inspect: limited, because a list may contain itself
MOST_VERTICES = 2**30  # per polygon: the engine's records cannot hold larger indices
# An exponent: if no coordinate exceeds 2**FARTHEST, products of two differences are finite.
FARTHEST = 510


class Rings(NamedTuple):
    """A polygon of one or more rings, filled by the even-odd rule, applied to all rings together.

    Attributes
    ----------
    vertices : ndarray, shape (N, 2), float64, C-contiguous
        The vertices of all rings, with columns x and y.
    starts : ndarray of int64 or None
        Index of each ring's first vertex, or None for a single ring.
    """

    vertices: NDArray[np.float64]
    starts: NDArray[np.int64] | None


def parts(
    polygon: Polygon, order: Order = "xy", skipped: LeftOut | None = None, check: bool = True
) -> list[Rings]:
    """Return the polygons that `polygon` consists of; its mask is the OR of their masks.

    Parameters
    ----------
    polygon : array_like, sequence of array_like, mapping, or object
        An (N, 2) array of vertices; flat vertices x, y, x, y, ..., as in COCO, optionally as the
        only element of a list; a sequence of rings; a GeoJSON-like mapping of type Polygon,
        MultiPolygon, Feature, or GeometryCollection of polygons; or an object with
        `__geo_interface__`. A GeoJSON position may have more than two numbers: the first two are x
        and y.
    order : {"xy", "rc"}
        The order of the columns: "rc" means row, column, that is, y, x.
    skipped : LeftOut, optional
        Counts points and lines in a mapping, which are left out. If None, they are an error.
    check : bool
        Whether to check that vertices are finite and not too far from 0.

    Returns
    -------
    list of Rings
        The list is empty for a geometry without coordinates. The vertices are checked copies,
        because compiled code reads them without further checks. Meanwhile, the caller's array may
        change: another thread may write to it, or the call itself may, if `out` shares its memory.

    Raises
    ------
    TypeError
        If coordinates are not real numbers.
    ValueError
        If `polygon` is not a valid polygon.
    """
    swap = contract.check_order(order)
    if isinstance(polygon, list) and depth(polygon) == 4:  # nested like a GeoJSON MultiPolygon
        return [_rings(rings, swap, check) for rings in polygon if _has_rings(rings)]
    source = getattr(polygon, "__geo_interface__", polygon)
    if isinstance(source, Mapping):
        try:
            polygons = [
                rings for rings in mappings.coordinates(source, skipped) if not _is_none(rings)
            ]
            polygons = [[_flat(ring) for ring in rings] for rings in polygons]
        except (TypeError, KeyError, IndexError):  # not a list, or without a first element
            raise ValueError("GeoJSON coordinates are not nested like a polygon's rings") from None
    elif depth(source) == 3:
        if not len(source):  # an array without rings is refused like an empty list
            error_text.refuse_shape(source.shape, "vertices")
        polygons = [list(source)]
    else:
        polygons = [[source]]
    return [_rings(rings, swap, check) for rings in polygons if rings]


def as_pairs(points):
    """Return a list of pairs of numbers as an array, or None for anything else.

    `parts` accepts the same lists, and more forms, but takes much longer.
    """
    if not set(map(type, points)) <= {list, tuple}:
        return None
    try:
        array = np.asarray(points)
    except ValueError:  # rows of different lengths
        return None
    is_ring = len(array) >= 3 and array.shape[1:] == (2,)
    if is_ring and array.dtype.kind in "iuf" and array.itemsize <= 8:
        return array.astype(contract.FLOAT64, copy=False)
    return None


def each_to_arrays(polygons, order="xy", left_out=None):
    """Convert a list of polygons to ragged arrays; errors name the polygon.

    If `left_out` is a `LeftOut`, it receives the errors, and invalid polygons become empty.
    """
    if polygons:
        refuse_single(polygons)
    takes_all = left_out is not None
    left_out, features = LeftOut(takes_invalid=False) if left_out is None else left_out, []
    for number, polygon in enumerate(polygons):
        features.append([])
        try:
            if polygon is not None:
                features[-1] = parts(polygon, order, left_out.of(number) if takes_all else None)
        except (TypeError, ValueError) as error:
            left_out.add_invalid(number, error)
    return to_arrays(features)


def to_arrays(features):
    """Convert features, each a list of Rings, to the vertices and three arrays of offsets."""
    polygons = list(chain.from_iterable(features))
    lengths = [
        np.diff(polygon.starts, append=len(polygon.vertices))
        if polygon.starts is not None
        else [len(polygon.vertices)]
        for polygon in polygons
    ]
    return (
        np.concatenate([polygon.vertices for polygon in polygons] or [np.empty((0, 2))]),
        offsets_of(chain.from_iterable(lengths)),
        offsets_of(map(len, lengths)),
        offsets_of(map(len, features)),
    )


def offsets_of(lengths):
    """Return the offsets of consecutive parts with these lengths, and the end of the last part."""
    return np.cumsum([0, *lengths], dtype=np.int64)


def refuse_single(polygons):
    """Refuse a single polygon, flat or as pairs, given where a sequence of polygons is expected."""
    first = polygons[0]
    if isinstance(first, numbers.Real):
        refuse_single_shape((len(polygons),))
    if depth(first) == 1 and len(first) == 2:
        refuse_single_shape((len(polygons), 2))


def refuse_single_shape(shape):
    """Raise the error for a single polygon of this shape."""
    raise ValueError(f"got a single polygon of shape {shape}: put it in a list")


def features(polygons):
    """List the polygons of a collection: a sequence, or a GeoJSON FeatureCollection."""
    collection = getattr(polygons, "__geo_interface__", polygons)
    if not isinstance(collection, Mapping):
        return list(polygons)
    if collection.get("type") != "FeatureCollection":
        return [collection]
    return mappings.members(collection, "features")


def _has_rings(rings):
    """Return whether a polygon in a list has rings; refuse anything but polygons."""
    if not hasattr(rings, "__len__") or getattr(rings, "ndim", 1) == 0:
        error_text.refuse_kind(rings, "vertices")
    return len(rings) > 0 and not _is_none(rings)


def _is_none(rings):
    """Return whether `rings` is [[]], which is how shapely writes an empty part."""
    return len(rings) == 1 and isinstance(rings[0], (list, tuple)) and not rings[0]


def _flat(ring):
    """Return the x and y of each position, without any altitude."""
    return [position[:2] for position in ring]


def depth(nested, limit=MOST_DEPTH):
    """Return the depth of nesting, up to `limit`: 2 for a list of points, 3 for a list of rings."""
    if hasattr(nested, "ndim"):
        return 2 if nested.shape[1:] == (1, 2) else nested.ndim  # (N, 1, 2): OpenCV's contours
    if limit and isinstance(nested, (list, tuple)) and nested:
        return 1 + depth(nested[0], limit - 1)
    return 0


def _rings(rings, swap, check):
    """Copy the vertices of one polygon's rings into one array, and check the copy.

    Another thread may write to the caller's arrays, but not to the copy.
    """
    arrays = [contract.as_vertices(ring, flat=len(rings) == 1) for ring in rings]
    starts = None
    if len(arrays) > 1:
        starts = np.cumsum([0, *map(len, arrays[:-1])], dtype=np.int64)
    vertices = np.concatenate(arrays)
    if len(vertices) > MOST_VERTICES:
        count = len(vertices)
        raise ValueError(f"a polygon can have at most {MOST_VERTICES} vertices, got {count}")
    if swap:
        vertices = np.ascontiguousarray(vertices[:, ::-1])
    if check and not are_computable(vertices):
        refuse_rings(vertices, starts, swap)
    return Rings(vertices, starts)


def are_computable(vertices):
    """Return whether all vertices are finite and no product of their coordinates overflows.

    If a product overflows, the even-odd formula gives a wrong mask. Rungs accept such vertices,
    because all of them give the same wrong mask; the library refuses them.
    """
    limit = 2.0**FARTHEST
    return -limit <= vertices.min() and vertices.max() <= limit  # false for NaN


def refuse_rings(vertices, starts, swap=False):
    """Raise the error for the first invalid vertex of a polygon, numbered within its ring."""
    for ring in np.split(vertices, () if starts is None else starts[1:]):
        refuse_vertices(ring[:, ::-1] if swap else ring)


def refuse_vertices(vertices):
    """Raise an error that names the first vertex that is not finite or is too far from 0."""
    if not np.isfinite(vertices).all():
        contract.refuse_not_finite(vertices)
    check_near(vertices, FARTHEST, "products of coordinates would overflow")


def check_near(vertices, power, reason):
    """Refuse vertices with a coordinate whose absolute value exceeds 2**power."""
    limit = 2.0**power
    if len(vertices) and max(vertices.max(), -vertices.min()) > limit:
        first = int((np.abs(vertices) > limit).any(axis=1).argmax())
        x, y = vertices[first].tolist()
        raise ValueError(f"vertex {first} lies beyond 2**{power}, at ({x}, {y}): {reason}")
