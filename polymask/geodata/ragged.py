"""Many polygons as one: ragged arrays, as GeoArrow and `shapely.to_ragged_array` lay them out.

However the polygons come, after this border no Python object per polygon is left: kernels take
four arrays. Vertices that come as an array are not copied; offsets are, as they say where to read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polymask import contract
from polymask.geodata import geometry, polygon_sets

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import ArrayLike, NDArray

    from polymask.hints import Order, Polygons


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
    if isinstance(polygons, Ragged):
        return _checked(polygons, swap)
    found = polygon_sets.read(polygons)
    if isinstance(found, list):
        return Ragged(*geometry.arrays_of_each(found, order))
    return _checked(Ragged(*found), swap)


def of_parts(features):
    """Return Rings that `geometry.parts` has checked, a list of them per feature, as Ragged."""
    return Ragged(*geometry.arrays_of(features))


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
    if len(vertices) and not geometry.are_computable(vertices):
        first = int((~(np.abs(vertices) <= 2.0**geometry.FARTHEST)).any(axis=1).argmax())
        _refuse(found, int(np.searchsorted(rings, first, side="right")) - 1)


def _refuse(found, ring):
    """Raise the error of a bad ring, which names its feature."""
    number = ring
    for offsets in (found.polygon_offsets, found.feature_offsets):
        if offsets is not None:
            number = int(np.searchsorted(offsets, number, side="right")) - 1
    start, stop = found.ring_offsets[ring : ring + 2]
    try:
        geometry.refuse_vertices(contract.as_vertices(found.vertices[start:stop]))
    except ValueError as error:
        raise ValueError(f"polygon {number}: {error}") from None
