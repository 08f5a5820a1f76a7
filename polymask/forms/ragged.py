"""Sets of polygons as ragged arrays, in the layout of GeoArrow and `shapely.to_ragged_array`.

Whatever the form of the input, kernels receive four arrays, without a Python object per polygon.
Vertices that come as an array are not copied. Offsets are, because they decide which memory is
read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polymask import contract
from polymask.forms import geometry, polygon_sets

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import ArrayLike, NDArray

    from polymask.hints import Order, Polygons


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

    def parts(self, feature: SupportsIndex) -> geometry.Parts:
        """Return a feature as a list of Rings, like `geometry.parts` but without copies."""
        first, last = feature, feature + 1
        if self.feature_offsets is not None:
            first, last = self.feature_offsets[first], self.feature_offsets[last]
        rings = geometry.Parts()
        for polygon in range(first, last):
            ends = polygon, polygon + 1
            if self.polygon_offsets is not None:
                ends = self.polygon_offsets[polygon], self.polygon_offsets[polygon + 1]
            offsets = self.ring_offsets[ends[0] : ends[1] + 1]
            if len(offsets) > 1:
                starts = offsets[:-1] - offsets[0] if len(offsets) > 2 else None
                rings.append(geometry.Rings(self.vertices[offsets[0] : offsets[-1]], starts))
        return rings

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


def ragged(polygons: Polygons, order: Order = "xy") -> Ragged:
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
    if isinstance(polygons, Ragged):
        return _check(polygons, swap)
    arrays = polygon_sets.read(polygons)
    if isinstance(arrays, list):
        return Ragged(*geometry.each_to_arrays(arrays, order))
    return _check(Ragged(*arrays), swap)


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


def expand(spans: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return each number within ranges (first, stop), after the position of its range."""
    lengths = np.maximum(spans[:, 1] - spans[:, 0], 0)
    ends = np.cumsum(lengths)
    items = np.repeat(np.arange(len(spans)), lengths)
    return items, np.arange(len(items)) + (spans[:, 0] - (ends - lengths))[items]


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


def extents(
    values: NDArray[np.float64], starts: NDArray[np.int64], stops: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the smallest and the largest values of consecutive ranges: inf and -inf if empty."""
    low = np.full((len(starts), *values.shape[1:]), np.inf)
    high, filled = -low, starts < stops
    if filled.any():
        values = values[: stops.max()]
        low[filled] = np.minimum.reduceat(values, starts[filled])
        high[filled] = np.maximum.reduceat(values, starts[filled])
    return low, high


def _size(arrays, level):
    """Return the number of vertices, rings, polygons or features."""
    if level == 0:
        return len(arrays.vertices)
    offsets = arrays[level]
    return _size(arrays, level - 1) if offsets is None else len(offsets) - 1


def _check(arrays, swap):
    """Check arrays, and remove everything outside the features."""
    vertices = contract.as_points(arrays.vertices, "vertices")
    rings = _check_offsets(arrays, 1, len(vertices), "vertices")
    polygons = features = None
    if arrays.polygon_offsets is not None:
        polygons = _check_offsets(arrays, 2, len(rings) - 1, "rings")
    if arrays.feature_offsets is not None:
        below = rings if polygons is None else polygons
        features = _check_offsets(arrays, 3, len(below) - 1, "polygons")
    result = _trim(Ragged(vertices, rings, polygons, features))
    _check_rings(result)
    if swap:
        result = result._replace(vertices=np.ascontiguousarray(result.vertices[:, ::-1]))
    return result


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


def _check_offsets(arrays, level, length, below):
    """Convert an array of offsets to int64; refuse it unless it ascends and is within range."""
    name = arrays._fields[level]
    contract.refuse_masked(arrays[level], name)
    offsets = np.array(arrays[level])  # a copy, which other threads cannot change after the check
    if offsets.ndim != 1 or not offsets.size or offsets.dtype.kind not in "iu":
        raise ValueError(
            f"{name} must be a non-empty 1D array of integers, "
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
    return contract.as_contiguous(offsets, np.int64)


def _check_rings(arrays):
    """Refuse rings and polygons with too few or too many vertices, and invalid coordinates."""
    vertices, rings = arrays.vertices, arrays.ring_offsets
    lengths = np.diff(rings)
    if lengths.size and lengths.min() < 3:
        _refuse(arrays, int((lengths < 3).argmax()))
    ends = rings if arrays.polygon_offsets is None else rings[arrays.polygon_offsets]
    if len(vertices) > geometry.MOST_VERTICES and np.diff(ends).max() > geometry.MOST_VERTICES:
        raise ValueError(f"a polygon can have at most {geometry.MOST_VERTICES} vertices")
    if len(vertices) and not geometry.are_computable(vertices):
        first = int((~(np.abs(vertices) <= 2.0**geometry.FARTHEST)).any(axis=1).argmax())
        _refuse(arrays, int(np.searchsorted(rings, first, side="right")) - 1)


def _refuse(arrays, ring):
    """Raise the error for an invalid ring; the message names its feature."""
    number = ring
    for offsets in (arrays.polygon_offsets, arrays.feature_offsets):
        if offsets is not None:
            number = int(np.searchsorted(offsets, number, side="right")) - 1
    start, stop = arrays.ring_offsets[ring : ring + 2]
    try:
        geometry.refuse_vertices(contract.as_vertices(arrays.vertices[start:stop]))
    except ValueError as error:
        raise ValueError(f"polygon {number}: {error}") from None
