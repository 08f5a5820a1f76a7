"""Sets of polygons as ragged arrays, in the layout of GeoArrow and `shapely.to_ragged_array`.

Whatever the form of the input, kernels receive four arrays, without a Python object per polygon.
Vertices that come as an array are not copied. Offsets are, because they decide which memory is
read.
"""

from __future__ import annotations

import operator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polymask import contract
from polymask.forms import arrays_of_polygons, geometry, ragged_checks
from polymask.forms.ranges import expand

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import SupportsIndex

    from numpy.typing import ArrayLike, NDArray

    from polymask.forms.left_out import LeftOut
    from polymask.hints import Order, Polygon, Polygons


LONG_RING = 32  # vertices; longer ones are copied faster as slices than vertex by vertex


class Ragged(NamedTuple):
    """Features that consist of polygons, which consist of rings; a feature has one label.

    Attributes
    ----------
    vertices : ndarray, shape (N, 2), float64, C-contiguous
        The vertices of all rings, columns x and y.
    ring_offsets : ndarray of int64, shape (R + 1,)
        Ring r is ``vertices[ring_offsets[r] : ring_offsets[r + 1]]``.
    polygon_offsets : ndarray of int64, shape (P + 1,), or None
        Likewise, offsets into the rings. If None, each ring is a polygon.
    feature_offsets : ndarray of int64, shape (F + 1,), or None
        Likewise, offsets into the polygons. If None, each polygon is a feature.
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
        """Return the first ring of a feature and the one after its last; arrays for an array."""
        return self._down(feature), self._down(np.add(feature, 1))

    def polygons(self) -> Iterator[geometry.Rings]:
        """Yield the polygons of all features, as views, without empty ones."""
        offsets = self.ring_offsets
        groups = self.polygon_offsets
        for first, last in pairwise(range(len(offsets)) if groups is None else groups.tolist()):
            if first < last:
                start, stop = offsets[first], offsets[last]
                starts = offsets[first:last] - start if last - first > 1 else None
                yield geometry.Rings(self.vertices[start:stop], starts)

    def parts(self, feature: SupportsIndex) -> list[geometry.Rings]:
        """Return the polygons of one feature."""
        number = operator.index(feature)
        return list(self.some(number, number + 1).polygons())

    def copy(self) -> Ragged:
        """Return the same features in new arrays."""
        return Ragged(*(None if array is None else array.copy() for array in self))

    def some(self, first: int, last: int) -> Ragged:
        """Return features `first` to `last`, exclusive, without copying or checking them again."""
        top = max(level for level in (1, 2, 3) if self[level] is not None)
        offsets = self[top][first : last + 1]
        return _trim(self._replace(**{self._fields[top]: offsets}))

    def _down(self, feature):
        if self.feature_offsets is not None:
            feature = self.feature_offsets[feature]
        return feature if self.polygon_offsets is None else self.polygon_offsets[feature]


def ragged(
    polygons: Polygons,
    order: Order = "xy",
    *,
    place: Callable[[NDArray[np.float64]], NDArray[np.float64]] | None = None,
    left_out: LeftOut | None = None,
) -> Ragged:
    """Convert a set of polygons to ragged arrays, and check them.

    Parameters
    ----------
    polygons : Ragged, tuple, ndarray, sequence, mapping, or object
        Ragged arrays: ``(vertices, ring_offsets[, polygon_offsets[, feature_offsets]])``, or the
        result of `shapely.to_ragged_array`, with or without the type. An (N, k, 2) array of N
        polygons, each one ring of k vertices, or an (N, r, k, 2) array of N polygons with r rings.
        A GeoSeries, a GeoDataFrame, a sequence or array of shapely geometries, or a sequence of
        WKB, which shapely converts in one call. An Arrow array, stream or table
        (`__arrow_c_array__`, `__arrow_c_stream__`; requires pyarrow) of geoarrow.polygon,
        geoarrow.multipolygon or WKB. A sequence of polygons in any form that `geometry.parts`
        accepts: (n, 2) arrays, flat arrays as in COCO, lists of rings, GeoJSON. A
        FeatureCollection. None, null and empty geometries become empty features.
    order : {"xy", "rc"}
        The meaning of the columns of the vertices.
    place : callable, optional
        Converts (N, 2) vertices, x and y, to those of the result, such as pixels.
    left_out : LeftOut, optional
        Receives the numbers of invalid polygons, which become empty features. If None, they are an
        error.

    Returns
    -------
    Ragged
        Offsets begin at 0 and end at the length of the array that they point into. Vertices with
        the right dtype and layout are not copied.

    Raises
    ------
    TypeError
        If coordinates are not real numbers.
    ValueError
        If the input is not a set of polygons. The message names the first invalid polygon.
    ImportError
        If the input is WKB and shapely is not installed, or Arrow and pyarrow is not installed.

    Examples
    --------
    >>> from polymask.forms.ragged import ragged
    >>> triangles = ragged([[(0, 0), (4, 0), (0, 4)], [(1, 1), (3, 1), (1, 3)]])
    >>> triangles.features
    2
    >>> triangles.ring_offsets
    array([0, 3, 6])
    """
    swap = contract.check_order(order)
    are_given = isinstance(polygons, Ragged)
    if not are_given:
        polygons, are_given = arrays_of_polygons.read(polygons, left_out)
    if isinstance(polygons, list):
        arrays = Ragged(*geometry.each_to_arrays(polygons, order, left_out))
    else:
        arrays = _with_checked_offsets(*polygons) if are_given else Ragged(*polygons)
        arrays = _check(arrays, left_out)
        if swap:
            arrays = arrays._replace(vertices=np.ascontiguousarray(arrays.vertices[:, ::-1]))
    return arrays if place is None else moved(arrays, place)


def single(
    polygon: Polygon,
    order: Order = "xy",
    *,
    place: Callable[[NDArray[np.float64]], NDArray[np.float64]] | None = None,
    check: bool = True,
) -> Ragged:
    """Convert one polygon, in any form that `geometry.parts` accepts, to a single feature.

    Vertices are copied, and checked unless `check` is false.
    """
    check = check or place is not None
    if isinstance(polygon, Ragged):
        arrays = ragged(polygon, order).copy()
    elif type(polygon) is np.ndarray and polygon.ndim == 2 and not contract.check_order(order):
        vertices = contract.as_vertices(polygon).copy()
        if check and not geometry.are_computable(vertices):
            geometry.refuse_vertices(vertices)
        arrays = _one_polygon(vertices, None)
    else:
        parts = geometry.parts(polygon, order, check=check)
        arrays = _one_polygon(*parts[0]) if len(parts) == 1 else from_parts([parts])
    return arrays if place is None else moved(arrays, place)


def _one_polygon(vertices, starts):
    """Return a polygon, whose rings begin at `starts`, as a feature."""
    if starts is None:
        return Ragged(vertices, np.array((0, len(vertices)), np.int64))
    rings = np.array((*starts, len(vertices)), np.int64)
    return Ragged(vertices, rings, np.array((0, len(starts)), np.int64))


def moved(arrays, place):
    """Return features with their vertices converted by a function, and check the result."""
    with np.errstate(all="ignore"):  # vertices that are not finite are refused
        vertices = np.ascontiguousarray(place(arrays.vertices))
    arrays = arrays._replace(vertices=vertices)
    ragged_checks.check_rings(arrays)
    return arrays


def from_parts(features):
    """Build a Ragged from one list of Rings per feature, checked by `geometry.parts`."""
    return Ragged(*geometry.to_arrays(features))


def join(sets):
    """Join the features of several Ragged into one, in order."""
    if len(sets) == 1:
        return sets[0]
    levels = [[arrays.vertices for arrays in sets]]
    for level in (1, 2, 3):
        below = [0, *np.cumsum([_size(arrays, level - 1) for arrays in sets])]
        offsets = [
            np.arange(_size(arrays, level) + 1) if arrays[level] is None else arrays[level]
            for arrays in sets
        ]
        parts = [own[1:] + start for own, start in zip(offsets, below[:-1], strict=True)]
        levels.append([np.zeros(1, np.int64), *parts])
    return Ragged(*map(np.concatenate, levels))


def take(arrays: Ragged, features: NDArray[np.int64]) -> Ragged:
    """Return some features, in this order, without checking them again."""
    levels = list(arrays)
    for level in (3, 2, 1):
        if (offsets := arrays[level]) is not None:
            spans = np.stack([offsets[features], offsets[features + 1]], axis=1)
            levels[level] = np.concatenate([[0], np.cumsum(spans[:, 1] - spans[:, 0])])
            if level > 1:
                features = expand(spans)[1]
    if levels[1][-1] <= LONG_RING * len(spans):
        levels[0] = arrays.vertices[expand(spans)[1]]
    else:
        levels[0] = np.concatenate([arrays.vertices[first:stop] for first, stop in spans.tolist()])
    return Ragged(*levels)


def _size(arrays, level):
    """Return the number of vertices, rings, polygons or features."""
    if level == 0:
        return len(arrays.vertices)
    offsets = arrays[level]
    return _size(arrays, level - 1) if offsets is None else len(offsets) - 1


def _with_checked_offsets(vertices, rings, polygons=None, features=None):
    """Return the caller's arrays, without everything outside the features."""
    vertices = contract.as_points(vertices, "vertices")
    counts, names, levels = [len(vertices)], ("vertices", "rings", "polygons"), []
    for name, below, offsets in zip(
        Ragged._fields[1:], names, (rings, polygons, features), strict=True
    ):
        if offsets is None:
            levels.append(None)
            continue
        levels.append(ragged_checks.check_offsets(offsets, name, counts[-1], below))
        counts.append(len(levels[-1]) - 1)
    return _trim(Ragged(vertices, *levels))


def _check(arrays, left_out):
    """Check the rings of arrays; if `left_out` is given, remove the invalid ones."""
    if left_out is not None:
        return _without_invalid(arrays, left_out)
    ragged_checks.check_rings(arrays)
    return arrays


def _trim(arrays):
    """Remove everything outside the features, so that offsets begin at 0."""
    levels = list(arrays)
    present = [level for level in (3, 2, 1) if levels[level] is not None]
    for level, below in zip(present, [*present[1:], 0], strict=True):
        offsets = levels[level]
        first, last = offsets[0], offsets[-1]
        end = len(levels[below]) - (below > 0)
        if first or last != end:
            levels[level] = offsets - first
            levels[below] = levels[below][first : last + (below > 0)]
    return Ragged(*levels)


def _without_invalid(arrays, left_out):
    """Return the features, invalid ones as empty ones; `left_out` receives the reasons."""
    is_bad = ragged_checks.note_invalid(arrays, left_out)
    if not is_bad.any():
        return arrays
    sizes = np.ones_like(is_bad, np.int64)
    if arrays.feature_offsets is not None:
        sizes = np.diff(arrays.feature_offsets)
    valid = take(arrays, np.flatnonzero(~is_bad))
    return valid._replace(feature_offsets=geometry.offsets_of(np.where(is_bad, 0, sizes)))
