from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, Literal, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from polymask import contract as contract
from polymask import hints as hints
from polymask.geodata import geometry as geometry
from polymask.geodata import ragged as ragged
from polymask.geodata.ragged import Ragged
from polymask.hints import Flag, Number, Order, Pair, Polygon, Polygons, Scalar, Shapes, Touched
from polymask.masks import outlines as outlines
from polymask.masks import runs as runs
from polymask.masks import zonal as zonal
from polymask.masks.outlines import Outlines
from polymask.masks.runs import LabelRuns, Runs
from polymask.masks.zonal import Statistics

__version__: str
__all__: list[str]

_Bool: TypeAlias = type[bool] | type[np.bool_] | np.dtype[np.bool_] | Literal["bool", "?"] | None
_UInt8: TypeAlias = type[np.uint8] | np.dtype[np.uint8] | Literal["uint8", "u1"]
_Out = TypeVar("_Out", NDArray[np.bool_], NDArray[np.uint8])
_Integer = TypeVar("_Integer", bound=np.integer[Any])
_Scalar = TypeVar("_Scalar", bound=np.generic)

@overload
def polygon_mask(
    polygon: Polygon,
    shape: Pair,
    *,
    out: _Out,
    dtype: DTypeLike | None = None,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    packed: Flag = False,
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> _Out: ...
@overload
def polygon_mask(
    polygon: Polygon,
    shape: Pair,
    *,
    out: None = None,
    dtype: DTypeLike | None = None,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    packed: Literal[True],
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> NDArray[np.uint8]: ...
@overload
def polygon_mask(
    polygon: Polygon,
    shape: Pair,
    *,
    out: None = None,
    dtype: _UInt8,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    packed: Flag = False,
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> NDArray[np.uint8]: ...
@overload
def polygon_mask(
    polygon: Polygon,
    shape: Pair,
    *,
    out: None = None,
    dtype: _Bool = None,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    packed: Literal[False] = False,
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> NDArray[np.bool_]: ...
@overload
def polygon_mask(
    polygon: Polygon,
    shape: Pair,
    *,
    out: None = None,
    dtype: DTypeLike | None = None,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    packed: Flag = False,
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> NDArray[Any]: ...
def contains(
    polygon: Polygon,
    points: ArrayLike,
    *,
    order: Order = "xy",
    border_value: Flag | None = True,
    watertight: Flag = False,
    threads: SupportsIndex | None = None,
) -> NDArray[np.bool_]: ...
def coverage(
    polygon: Polygon,
    shape: Pair,
    subpixels: SupportsIndex | None = None,
    *,
    out: NDArray[np.float32] | None = None,
    order: Order = "xy",
    center: Flag = False,
    offset: Pair = (0, 0),
) -> NDArray[np.float32]: ...
@overload
def label_mask(
    polygons: Polygons,
    shape: Pair,
    *,
    labels: Iterable[SupportsIndex] | None = None,
    out: NDArray[_Integer],
    dtype: DTypeLike | None = None,
    on_top: Literal["last", "first", "smallest"] = "last",
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
    progress: Callable[[int], object] | None = None,
) -> NDArray[_Integer]: ...
@overload
def label_mask(
    polygons: Polygons,
    shape: Pair,
    *,
    labels: Iterable[SupportsIndex] | None = None,
    out: None = None,
    dtype: type[int],
    on_top: Literal["last", "first", "smallest"] = "last",
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
    progress: Callable[[int], object] | None = None,
) -> NDArray[np.int_]: ...
@overload
def label_mask(
    polygons: Polygons,
    shape: Pair,
    *,
    labels: Iterable[SupportsIndex] | None = None,
    out: None = None,
    dtype: type[_Integer] | np.dtype[_Integer],
    on_top: Literal["last", "first", "smallest"] = "last",
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
    progress: Callable[[int], object] | None = None,
) -> NDArray[_Integer]: ...
@overload
def label_mask(
    polygons: Polygons,
    shape: Pair,
    *,
    labels: Iterable[SupportsIndex] | None = None,
    out: None = None,
    dtype: DTypeLike | None = None,
    on_top: Literal["last", "first", "smallest"] = "last",
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
    progress: Callable[[int], object] | None = None,
) -> NDArray[np.integer[Any]]: ...
def polygon_runs(
    polygon: Polygon,
    shape: Pair,
    *,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> Runs: ...
def label_runs(
    polygons: Polygons,
    shape: Pair,
    *,
    labels: Iterable[SupportsIndex] | None = None,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> LabelRuns: ...
def pixel_counts(
    polygons: Polygons,
    shape: Pair,
    *,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> NDArray[np.int64]: ...
def pixel_centroids(
    polygons: Polygons,
    shape: Pair,
    *,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> NDArray[np.float64]: ...
@overload
def runs_to_mask(
    runs: Iterable[ArrayLike],
    shape: Pair,
    *,
    out: _Out,
    dtype: DTypeLike | None = None,
) -> _Out: ...
@overload
def runs_to_mask(
    runs: Iterable[ArrayLike],
    shape: Pair,
    *,
    out: None = None,
    dtype: _UInt8,
) -> NDArray[np.uint8]: ...
@overload
def runs_to_mask(
    runs: Iterable[ArrayLike],
    shape: Pair,
    *,
    out: None = None,
    dtype: _Bool = None,
) -> NDArray[np.bool_]: ...
@overload
def runs_to_mask(
    runs: Iterable[ArrayLike],
    shape: Pair,
    *,
    out: None = None,
    dtype: DTypeLike | None = None,
) -> NDArray[Any]: ...
@overload
def polygon_masks(
    polygons: Polygons,
    shape: Pair,
    *,
    out: _Out,
    dtype: DTypeLike | None = None,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> _Out: ...
@overload
def polygon_masks(
    polygons: Polygons,
    shape: Pair,
    *,
    out: None = None,
    dtype: _UInt8,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> NDArray[np.uint8]: ...
@overload
def polygon_masks(
    polygons: Polygons,
    shape: Pair,
    *,
    out: None = None,
    dtype: _Bool = None,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> NDArray[np.bool_]: ...
@overload
def polygon_masks(
    polygons: Polygons,
    shape: Pair,
    *,
    out: None = None,
    dtype: DTypeLike | None = None,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> NDArray[Any]: ...
@overload
def polygon_crops(
    polygons: Polygons,
    shape: Pair,
    *,
    dtype: _UInt8,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> Iterator[tuple[tuple[slice, slice], NDArray[np.uint8]]]: ...
@overload
def polygon_crops(
    polygons: Polygons,
    shape: Pair,
    *,
    dtype: _Bool = None,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> Iterator[tuple[tuple[slice, slice], NDArray[np.bool_]]]: ...
@overload
def polygon_crops(
    polygons: Polygons,
    shape: Pair,
    *,
    dtype: DTypeLike | None = None,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> Iterator[tuple[tuple[slice, slice], NDArray[Any]]]: ...
@overload
def rasterize(
    shapes: Shapes,
    out_shape: Pair | None = None,
    *,
    fill: None = None,
    out: NDArray[_Scalar],
    transform: Iterable[Number] = (1, 0, 0, 0, 1, 0),
    to_crs: Any = None,
    default_value: Scalar = 1,
    values: ArrayLike | None = None,
    dtype: DTypeLike | None = None,
    merge_alg: Any = "replace",
    on_top: Literal["last", "first", "smallest"] = "last",
    border_value: Flag | None = True,
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> NDArray[_Scalar]: ...
@overload
def rasterize(
    shapes: Shapes,
    out_shape: Pair | None = None,
    *,
    fill: Scalar | None = None,
    out: None = None,
    transform: Iterable[Number] = (1, 0, 0, 0, 1, 0),
    to_crs: Any = None,
    default_value: Scalar = 1,
    values: ArrayLike | None = None,
    dtype: type[_Scalar] | np.dtype[_Scalar],
    merge_alg: Any = "replace",
    on_top: Literal["last", "first", "smallest"] = "last",
    border_value: Flag | None = True,
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> NDArray[_Scalar]: ...
@overload
def rasterize(
    shapes: Shapes,
    out_shape: Pair | None = None,
    *,
    fill: Scalar | None = None,
    out: None = None,
    transform: Iterable[Number] = (1, 0, 0, 0, 1, 0),
    to_crs: Any = None,
    default_value: Scalar = 1,
    values: ArrayLike | None = None,
    dtype: DTypeLike | None = None,
    merge_alg: Any = "replace",
    on_top: Literal["last", "first", "smallest"] = "last",
    border_value: Flag | None = True,
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> NDArray[Any]: ...
def rasterize_like(
    shapes: Shapes,
    like: Any,
    *,
    x: Hashable = None,
    y: Hashable = None,
    to_crs: Any = None,
    fill: Scalar = 0,
    default_value: Scalar = 1,
    values: ArrayLike | None = None,
    dtype: DTypeLike | None = None,
    merge_alg: Any = "replace",
    on_top: Literal["last", "first", "smallest"] = "last",
    keep_attrs: Flag = True,
    border_value: Flag | None = True,
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> Any: ...
def coco_rle(
    polygons: Polygons,
    shape: Pair,
    *,
    compressed: Flag = True,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> list[dict[str, Any]]: ...
@overload
def mask_to_rings(
    mask: ArrayLike,
    *,
    connectivity: SupportsIndex = 4,
    center: Flag = True,
    offset: Pair = (0, 0),
    transform: Iterable[Number] | None = None,
    form: Literal["lists"] = "lists",
) -> Outlines: ...
@overload
def mask_to_rings(
    mask: ArrayLike,
    *,
    connectivity: SupportsIndex = 4,
    center: Flag = True,
    offset: Pair = (0, 0),
    transform: Iterable[Number] | None = None,
    form: Literal["ragged"],
) -> Ragged: ...
@overload
def mask_to_rings(
    mask: ArrayLike,
    *,
    connectivity: SupportsIndex = 4,
    center: Flag = True,
    offset: Pair = (0, 0),
    transform: Iterable[Number] | None = None,
    form: Literal["geojson"],
) -> dict[str, Any]: ...
@overload
def labels_to_rings(
    labels: ArrayLike,
    *,
    background: SupportsIndex | None = 0,
    connectivity: SupportsIndex = 4,
    center: Flag = True,
    offset: Pair = (0, 0),
    transform: Iterable[Number] | None = None,
    form: Literal["lists"] = "lists",
) -> dict[int, Outlines]: ...
@overload
def labels_to_rings(
    labels: ArrayLike,
    *,
    background: SupportsIndex | None = 0,
    connectivity: SupportsIndex = 4,
    center: Flag = True,
    offset: Pair = (0, 0),
    transform: Iterable[Number] | None = None,
    form: Literal["ragged"],
) -> tuple[Ragged, NDArray[np.integer[Any]]]: ...
@overload
def labels_to_rings(
    labels: ArrayLike,
    *,
    background: SupportsIndex | None = 0,
    connectivity: SupportsIndex = 4,
    center: Flag = True,
    offset: Pair = (0, 0),
    transform: Iterable[Number] | None = None,
    form: Literal["geojson"],
) -> dict[str, Any]: ...
def polygon_statistics(
    polygons: Polygons,
    image: ArrayLike,
    *,
    nodata: Scalar | None = None,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = (0, 0),
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> Statistics: ...
