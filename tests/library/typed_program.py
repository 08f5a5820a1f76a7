"""Calls to every public function as its types allow: for mypy and pyright, and to be run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import polymask
from polymask import contract
from polymask.forms.ragged import Ragged
from polymask.hints import Polygon, Polygons
from polymask.masks.outlines import Outlines
from polymask.masks.runs import LabelRuns
from polymask.masks.zonal import Statistics

Bools = NDArray[np.bool_]
Masks = NDArray[Any]


class Parcel:
    """An object with a `__geo_interface__`, like shapely's geometries."""

    @property
    def __geo_interface__(self) -> Mapping[str, Any]:
        """A square."""
        return {"type": "Polygon", "coordinates": [[(1, 1), (4, 1), (4, 4), (1, 4)]]}


triangle: Polygon = [(1, 1), (6, 1), (3, 4)]
array = np.array([(1.0, 1.0), (6.0, 1.0), (3.0, 4.0)])
many: Polygons = [triangle, array, [array, array / 2], Parcel()]
rows, cols = shape = (np.int32(5), 8)

# Shapes, offsets and counts may be any integers; polygons come in every form.
assert_type(polymask.polygon_mask(triangle, shape), Masks)
assert_type(polymask.polygon_mask(array, [5, 8], offset=np.array([1, 2])), Masks)
assert_type(polymask.polygon_mask([array, array + 1], np.array([5, 8]), threads=np.int64(1)), Masks)
assert_type(polymask.polygon_mask(Parcel(), shape, border_value=None), Masks)
assert_type(polymask.polygon_mask(Parcel().__geo_interface__, shape, center=np.True_), Masks)

assert_type(polymask.polygon_mask([1, 1, 6, 1, 3, 4], shape), Masks)  # flat, as in COCO
assert_type(polymask.polygon_masks([[1, 1, 6, 1, 3, 4], array.ravel()], shape), Masks)

# Rings may be arrays and lists, mixed.
vertices = [(0, 0), (4, 0), (0, 4)]
assert_type(polymask.polygon_mask([array, vertices], shape), Masks)
assert_type(polymask.polygon_mask([array, [(0, 0), (4, 0), (0, 4)]], shape), Masks)
assert_type(polymask.polygon_mask(((1, 1), (6, 1), (3, 4)), shape), Masks)
assert_type(polymask.pixel_counts([[array, vertices], array, vertices], shape), NDArray[np.int64])
assert_type(polymask.pixel_counts((array, (0, 3), None), shape), NDArray[np.int64])

# Flags may be numbers.
number, zero = int(array[0, 0]), np.uint8(0)
assert_type(polymask.polygon_mask(triangle, shape, center=number, watertight=zero), Masks)
assert_type(polymask.polygon_mask(triangle, shape, border_value=0.5), Masks)
assert_type(polymask.polygon_mask(triangle, shape, packed=number), Masks)
polymask.contract.check(vertices, shape, number)

# The dtype of a mask is that of dtype, out or packed.
assert_type(polymask.polygon_mask(triangle, shape, dtype=np.dtype(np.uint8)), Masks)
assert_type(polymask.polygon_mask(triangle, shape, dtype="uint8", packed=True), Masks)
assert_type(polymask.polygon_mask(triangle, shape, out=np.empty(shape, np.uint8)), Masks)
assert_type(polymask.polygon_mask(triangle, shape, all_touched="open"), Masks)

buffer = polymask.MaskBuffer(shape, packed=number)
assert_type(buffer.draw(triangle, center=True, threads=None), Masks)
assert_type(buffer.window, tuple[slice, slice])

assert_type(polymask.contains(triangle, [(1, 1.5), (3, 3)], border_value=False), Bools)
assert_type(polymask.coverage(triangle, shape), NDArray[np.float32])
assert_type(polymask.coverage(triangle, shape, np.uint8(4)), NDArray[np.float32])

assert_type(polymask.label_mask(many, shape, dtype=np.int32), NDArray[np.integer[Any]])
labels = polymask.label_mask(many, shape, labels=range(1, 5), out=np.empty(shape, np.uint16))

assert_type(polymask.label_runs(many, shape, labels=[1, 2, np.int8(3), 4]), LabelRuns)
assert_type(polymask.pixel_counts(many, shape), NDArray[np.int64])
assert_type(polymask.pixel_centroids(many, shape), NDArray[np.float64])

assert_type(polymask.polygon_masks(many, shape), Masks)
crops = polymask.polygon_crops(many, shape)
assert_type(crops, Iterator[tuple[tuple[slice, slice], Masks]])
for window, mask in crops:
    labels[window][mask].sum()

pairs = [(triangle, 7), (Parcel(), 2.5)]
assert_type(polymask.rasterize(pairs, shape, fill=np.int16(1)), NDArray[Any])
assert_type(polymask.rasterize(pairs, shape, dtype=np.float32), NDArray[Any])
assert_type(polymask.rasterize(many, shape, fill=np.True_, default_value=np.False_), NDArray[Any])
half = Fraction(1, 2)
assert_type(polymask.rasterize(many, shape, fill=half), NDArray[Any])
polymask.polygon_statistics(many, np.ones(shape), nodata=half)
wkb = np.array([1, 3, 0, 0, 0, 0, 0, 0, 0], np.uint8).tobytes()  # an empty polygon
if find_spec("shapely"):
    gaps: list[tuple[bytes | None, int]] = [(wkb, 1), (None, 2)]
    assert_type(polymask.rasterize(gaps, shape), NDArray[Any])
gaps_of_none: list[tuple[Polygon | None, int]] = [(None, 1), (triangle, 2)]
assert_type(polymask.rasterize(gaps_of_none, shape), NDArray[Any])
mixed: list[Polygon | tuple[Polygon, np.bool_]] = [triangle, (array, np.True_)]
assert_type(polymask.rasterize(mixed, shape), NDArray[Any])
assert_type(polymask.rasterize(many, out=np.zeros(shape, np.int32)), NDArray[Any])
masks = polymask.coco_rle(many, shape, compressed=np.False_)
assert_type(masks, list[dict[str, Any]])
assert_type(polymask.coco_to_mask(masks), Masks)
assert_type(polymask.coco_to_mask(masks[0], dtype=np.uint8), Masks)
assert_type(polymask.coco_to_rings(masks), list[Outlines])
assert_type(polymask.coco_to_rings(masks[0]), Outlines)

statistics = polymask.polygon_statistics(many, np.ones(shape), nodata=np.float32(0))
assert_type(statistics, Statistics)
assert_type(statistics.count, NDArray[np.int64])
ones = np.ones(shape)
columns = polymask.polygon_statistics(many, ones, statistics=["median"], weights="coverage")
assert_type(columns, dict[str, Any])

mask = polymask.polygon_mask(triangle, shape)
assert_type(polymask.mask_to_rings(mask), Outlines)
for neighbours in (4, 8):
    assert_type(polymask.mask_to_rings(mask, connectivity=neighbours), Outlines)
assert_type(polymask.mask_to_rings(mask, connectivity=np.int64(8), center=0), Outlines)
assert_type(polymask.mask_to_rings(mask, form="ragged"), Ragged)
assert_type(polymask.mask_to_rings(mask, form="geojson"), dict[str, Any])
assert_type(polymask.labels_to_rings(labels), dict[int, Outlines])
assert_type(polymask.labels_to_rings(labels, connectivity=number + 3), dict[int, Outlines])
outlines, values = polymask.labels_to_rings(labels, form="ragged", background=None)
assert_type(outlines, Ragged)
assert_type(values, NDArray[np.integer[Any]])
assert_type(polymask.polygon_mask(polymask.mask_to_rings(mask), shape, center=True), Masks)

assert_type(polymask.ragged.ragged(many), Ragged)  # modules of `polymask` are attributes
first, last = polymask.ragged.ragged(many).rings_of(0)
first, last = polymask.ragged.ragged(many).rings_of(np.arange(2))
assert_type(polymask.geometry.parts(array), list[polymask.geometry.Rings])
runs: polymask.runs.LabelRuns = polymask.label_runs(many, shape)
assert_type(polymask.outlines.Outlines(), Outlines)
kinds: list[polymask.hints.Polygon] = [triangle, array]
sums: polymask.zonal.Statistics = statistics

try:
    contract.check(array, (0, -1))
except (ValueError, contract.Unavailable) as error:
    print(error)

try:
    import xarray
except ImportError:
    pass
else:
    grid: Any = xarray.DataArray(np.zeros((3, 4)), {"y": [2, 1, 0], "x": [0, 1, 2, 3]})
    polymask.rasterize_like([triangle], grid, x="x", keep_attrs=np.True_)

if TYPE_CHECKING:  # mistakes are errors: an unused `ignore` would be an error
    polymask.polygon_mask(triangle, 5)  # type: ignore
    polymask.polygon_mask(triangle, (5.0, 8.0))  # type: ignore
    polymask.polygon_mask(triangle, shape, order="yx")  # type: ignore
    polymask.polygon_mask(triangle, shape, False)  # type: ignore
    polymask.label_mask(many, shape, labels=["a"])  # type: ignore
    polymask.mask_to_rings(mask, form="wkt")  # type: ignore
    polymask.coverage(triangle, shape, 2.0)  # type: ignore
