"""Lazy masks, label images and fractions of pixels."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import dask.array as da
import numpy as np

from polymask import contract
from polymask.dask.block_index import boxes_of_edges, boxes_of_features, make_index
from polymask.dask.blocks import ManyPolygons, OnePolygon, bounds_of, check_chunks, lazy
from polymask.dask.lazy_partitions import (
    Partitions,
    is_partitioned,
    lazy_labels,
    read_partitions,
)
from polymask.forms import feature_values, geometry
from polymask.forms.ragged import from_parts, ragged
from polymask.masks import coverage as fractions
from polymask.masks import labels as images
from polymask.masks import polygon as masks
from polymask.masks.sampling import NO_OFFSET, check_offset, check_sampling

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import SupportsIndex

    from polymask.hints import DType, Flag, OnTop, Order, Pair, Polygon, Polygons, Touched

NOTHING = (0, 0)  # an image of this shape checks all arguments, and has the right dtype


def polygon_mask(
    polygon: Polygon,
    shape: Pair,
    *,
    chunks: Any = "auto",
    dtype: DType = None,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = NO_OFFSET,
    packed: Flag = False,
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = 1,
) -> da.Array:
    """Return the mask of a polygon on an image, as a lazy Dask array.

    Blocks entirely inside or outside the polygon are read-only arrays of one value, without memory
    of their own.

    Parameters
    ----------
    polygon : array_like, sequence of array_like, mapping, or object
        As for `polymask.polygon_mask`.
    shape : tuple of int
        (rows, cols), which may exceed the memory.
    chunks : int, tuple, str or dict
        The sizes of the blocks, as for `dask.array.zeros`; with `packed`, in bytes along rows.
    dtype, order, border_value, center, offset, packed, watertight, all_touched
        As for `polymask.polygon_mask`.
    threads : int, optional
        As for `polymask.polygon_mask`, for each block. By default 1, because Dask computes blocks
        in parallel.

    Returns
    -------
    dask.array.Array, shape (rows, cols), bool or uint8
        If packed, shape (rows, (cols + 7) // 8), uint8.

    Raises
    ------
    TypeError, ValueError
        If the polygon, the shape, the chunks or an option is invalid: during the call.

    Examples
    --------
    >>> import polymask.dask
    >>> mask = polymask.dask.polygon_mask([(1, 1), (6, 1), (3, 4)], (5, 8), chunks=4, dtype="uint8")
    >>> mask.chunks
    ((4, 1), (4, 4))
    >>> mask.compute()
    array([[0, 0, 0, 0, 0, 0, 0, 0],
           [0, 1, 0, 0, 0, 0, 1, 0],
           [0, 0, 1, 1, 1, 1, 0, 0],
           [0, 0, 0, 1, 1, 0, 0, 0],
           [0, 0, 0, 1, 0, 0, 0, 0]], dtype=uint8)
    """
    shape = contract.check_shape(shape, polygon)
    packed = contract.check_flag(packed, "packed")
    sampling = check_sampling(shape, border_value, center, offset, watertight, all_touched, threads)
    options = {
        "border_value": border_value,
        "center": center,
        "watertight": watertight,
        "all_touched": all_touched,
        "threads": threads,
    }
    parts = geometry.Parts(geometry.parts(polygon, order))
    dtype = masks.polygon_mask(parts, NOTHING, dtype=dtype, packed=packed, **options).dtype
    function = partial(masks.polygon_mask, dtype=dtype, packed=packed, **options)
    cols = shape[1] if packed else None
    return _of_one("polygon_mask", parts, shape, chunks, dtype, function, sampling.offset, cols)


def coverage(
    polygon: Polygon,
    shape: Pair,
    subpixels: SupportsIndex | None = None,
    *,
    chunks: Any = "auto",
    order: Order = "xy",
    center: Flag = False,
    offset: Pair = NO_OFFSET,
) -> da.Array:
    """Return the fraction of each pixel's square that a polygon covers, as a lazy Dask array.

    Blocks entirely inside or outside the polygon are read-only arrays of one value, without memory
    of their own.

    Parameters
    ----------
    polygon, shape, subpixels
        As for `polymask.coverage`.
    chunks : int, tuple, str or dict
        The sizes of the blocks, as for `dask.array.zeros`.
    order, center, offset
        As for `polymask.coverage`.

    Returns
    -------
    dask.array.Array, shape (rows, cols), float32

    Raises
    ------
    TypeError, ValueError
        If the polygon, the shape, the chunks or an option is invalid: during the call.

    Examples
    --------
    >>> import polymask.dask
    >>> rectangle = [(0, 0), (3, 0), (3, 1.5), (0, 1.5)]
    >>> polymask.dask.coverage(rectangle, (3, 4), center=True, chunks=2).compute()
    array([[1. , 1. , 1. , 0. ],
           [0.5, 0.5, 0.5, 0. ],
           [0. , 0. , 0. , 0. ]], dtype=float32)
    """
    shape = contract.check_shape(shape, polygon)
    offset = check_offset(offset)
    parts = geometry.Parts(geometry.parts(polygon, order))
    function = partial(fractions.coverage, subpixels=subpixels, center=center)
    dtype = function(parts, NOTHING).dtype
    return _of_one("coverage", parts, shape, chunks, dtype, function, offset)


def label_mask(
    polygons: Polygons,
    shape: Pair,
    *,
    chunks: Any = "auto",
    labels: Iterable[SupportsIndex] | None = None,
    dtype: DType = None,
    on_top: OnTop = "last",
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = NO_OFFSET,
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = 1,
) -> da.Array:
    """Return a label image, with one label per polygon, as a lazy Dask array.

    Blocks without polygons are read-only arrays of one value, without memory of their own.

    Parameters
    ----------
    polygons : sequence, ndarray, GeoSeries, mapping, or tuple of ndarray
        As for `polymask.label_mask`. Or a GeoSeries or GeoDataFrame of dask-geopandas: the call
        computes its partitions to count and check polygons, and blocks depend on the partitions
        near them. Labels continue from one partition to the next. An error names the partition.
    shape : tuple of int
        (rows, cols), which may exceed the memory.
    chunks : int, tuple, str or dict
        The sizes of the blocks, as for `dask.array.zeros`.
    labels, dtype, on_top, order, border_value, center, offset, watertight, all_touched
        As for `polymask.label_mask`.
    threads : int, optional
        As for `polymask.polygon_mask`, for each block. By default 1, because Dask computes blocks
        in parallel.

    Returns
    -------
    dask.array.Array, shape (rows, cols), integer
        0 outside all polygons.

    Raises
    ------
    TypeError, ValueError
        If a polygon or label (the message names it), the chunks or an option is invalid: during the
        call.

    Examples
    --------
    >>> import polymask.dask
    >>> triangle = [(-0.5, -0.5), (5.5, -0.5), (-0.5, 5.5)]
    >>> square = [(1.5, 0.5), (4.5, 0.5), (4.5, 2.5), (1.5, 2.5)]
    >>> image = polymask.dask.label_mask([triangle, square], (4, 6), labels=[1, 7], chunks=3)
    >>> image.compute()
    array([[1, 1, 1, 1, 1, 1],
           [1, 1, 7, 7, 7, 0],
           [1, 1, 7, 7, 7, 0],
           [1, 1, 1, 0, 0, 0]], dtype=uint8)
    """
    shape = contract.check_shape(shape, polygons)
    sampling = check_sampling(shape, border_value, center, offset, watertight, all_touched, threads)
    options = {
        "on_top": on_top,
        "border_value": border_value,
        "center": center,
        "watertight": watertight,
        "all_touched": all_touched,
        "threads": threads,
    }
    if is_partitioned(polygons):
        return _of_partitions(polygons, shape, chunks, labels, dtype, order, sampling, options)
    arrays = ragged(polygons, order).copy()  # the caller's arrays may change before blocks are made
    labels = feature_values.check_labels(labels, polygons, arrays.features).copy()
    empty = images.label_mask(arrays, NOTHING, labels=labels, dtype=dtype, **options)
    paint = partial(_paint, dtype=empty.dtype, **options)
    _refuse_far_pixels(partial(paint, arrays, labels), shape, sampling.offset)
    return of_many(
        "label_mask", arrays, labels, shape, chunks, np.zeros((1, 1), empty.dtype), paint, sampling
    )


def of_many(name, arrays, values, shape, chunks, background, paint, sampling):
    """Return the lazy image of many polygons; the arguments are those of `ManyPolygons`."""
    chunks = check_chunks(chunks, shape, background.dtype)
    bounds = bounds_of(chunks, sampling.offset)
    index = make_index(boxes_of_features(arrays), bounds)
    scene = ManyPolygons(arrays, values, index, background, paint, sampling.offset)
    return lazy(name, scene, chunks, background.dtype)


def _of_one(name, parts, shape, chunks, dtype, function, offset, packed_cols=None):
    """Return the lazy image of one polygon; the arguments are those of `OnePolygon`."""
    rows, cols = shape
    pixels = 1 if packed_cols is None else 8
    chunks = check_chunks(chunks, (rows, -(-cols // pixels)), dtype)
    bounds = bounds_of((chunks[0], [pixels * size for size in chunks[1]]), offset)
    _refuse_far_pixels(partial(function, parts), shape, offset)
    arrays = from_parts([[part] for part in parts])
    indices = (make_index(boxes(arrays), bounds) for boxes in (boxes_of_features, boxes_of_edges))
    background = np.zeros((1, 1), dtype)
    scene = OnePolygon(arrays, *indices, function, background, offset, packed_cols)
    return lazy(name, scene, chunks, dtype)


def _of_partitions(polygons, shape, chunks, labels, dtype, order, sampling, options):
    """Return the lazy label image of polygons in partitions."""
    images.label_mask([], NOTHING, **options)  # refuses invalid options
    partitions, starts, boxes = read_partitions(polygons, order)
    total = starts[-1]
    if labels is not None:
        labels = feature_values.check_labels(labels, polygons, total).copy()
    extremes = np.array([1, total][:total]) if labels is None else labels
    dtype = feature_values.check_label_dtype(dtype, extremes)
    paint = partial(_paint, dtype=dtype, **options)
    _refuse_far_pixels(partial(paint, ragged([]), []), shape, sampling.offset)
    scene = Partitions(starts, labels, np.zeros((1, 1), dtype), paint, sampling.offset)
    return lazy_labels(partitions, boxes, scene, check_chunks(chunks, shape, dtype))


def _refuse_far_pixels(draw, shape, offset):
    """Draw the first and the last pixel, which is an error if a pixel lies too far from 0."""
    if 0 not in shape:
        last = tuple(first + size - 1 for first, size in zip(offset, shape, strict=True))
        for pixel in (offset, last):
            draw((1, 1), offset=pixel)


def _paint(arrays, labels, shape, offset, **options):
    return images.label_mask(arrays, shape, labels=labels, offset=offset, **options)
