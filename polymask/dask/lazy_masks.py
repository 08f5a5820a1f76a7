"""Lazy masks, label images and fractions of pixels."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import dask.array as da
import numpy as np

from polymask import contract
from polymask.common.twins import twin_of
from polymask.dask.block_index import boxes_of_edges, boxes_of_features, make_index
from polymask.dask.blocks import (
    ManyPolygons,
    OnePolygon,
    bounds_of,
    check_chunks,
    lazy,
    refuse_partitions,
)
from polymask.forms import feature_values
from polymask.forms.ragged import Ragged
from polymask.masks import coverage as fractions
from polymask.masks import labels as images
from polymask.masks import polygon as masks
from polymask.masks.output import check_dtype
from polymask.masks.sampling import check_samples
from polymask.masks.view import view_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import SupportsIndex

    from typing_extensions import Unpack

    from polymask.hints import DType, Flag, OnInvalid, OnTop, Options, Pair, Polygon, Polygons


@twin_of(masks.polygon_mask, without=("out",))
def polygon_mask(
    polygon: Polygon,
    shape: Pair | None = None,
    *,
    chunks: Any = "auto",
    dtype: DType = None,
    packed: Flag = False,
    threads: SupportsIndex | None = 1,
    **options: Unpack[Options],
) -> da.Array:
    """Return the mask of a polygon on an image, as a lazy Dask array.

    Blocks entirely inside or outside the polygon are read-only arrays of one value, without memory
    of their own.

    Parameters
    ----------
    shape : tuple of int
        (rows, cols), which may exceed the memory.
    chunks : int, tuple, str or dict
        The sizes of the blocks, as for `dask.array.zeros`; with `packed`, in bytes along rows.
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
    packed = contract.check_flag(packed, "packed")
    dtype = check_dtype(dtype, None, packed)
    view = view_of(polygon, shape, threads=threads, **options)
    if packed:
        view.refuse_turned("packed")
    function = partial(masks.draw, dtype=dtype, packed=packed)
    return _of_one("polygon_mask", view.single(polygon), view, chunks, dtype, function)


@twin_of(fractions.coverage, without=("out",))
def coverage(
    polygon: Polygon,
    shape: Pair | None = None,
    subpixels: SupportsIndex | None = None,
    *,
    chunks: Any = "auto",
    **options: Any,
) -> da.Array:
    """Return the fraction of each pixel's square that a polygon covers, as a lazy Dask array.

    Blocks entirely inside or outside the polygon are read-only arrays of one value, without memory
    of their own.

    Parameters
    ----------
    chunks : int, tuple, str or dict
        The sizes of the blocks, as for `dask.array.zeros`.

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
    view = fractions.view_of_squares(polygon, shape, **options)
    function = partial(fractions.cover, subpixels=fractions.check_subpixels(subpixels))
    arrays = view.single(polygon)
    return _of_one("coverage", arrays, view, chunks, fractions.FLOAT32, function)


@twin_of(images.label_mask, without=("out", "progress"))
def label_mask(
    polygons: Polygons,
    shape: Pair | None = None,
    *,
    chunks: Any = "auto",
    labels: Iterable[SupportsIndex] | None = None,
    dtype: DType = None,
    on_top: OnTop = "last",
    threads: SupportsIndex | None = 1,
    on_invalid: OnInvalid = "raise",
    **options: Unpack[Options],
) -> da.Array:
    """Return a label image, with one label per polygon, as a lazy Dask array.

    Blocks without polygons are read-only arrays of one value, without memory of their own.

    Parameters
    ----------
    shape, chunks, threads
        As for `polymask.dask.polygon_mask`.

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
    images.check_on_top(on_top)
    refuse_partitions(polygons)
    view = view_of(polygons, shape, threads=threads, **options)
    # A copy, because the caller's arrays may change before blocks are made.
    arrays = view.ragged(polygons, on_invalid).copy()
    images.refuse_far(arrays, on_top)
    labels = feature_values.labels_of(labels, polygons, arrays.features, dtype)
    paint = partial(_paint, sampling=view.sampling, on_top=on_top)
    _refuse_far_pixels(partial(paint, arrays, labels), view)
    background = np.zeros((1, 1), labels.dtype)
    return of_many("label_mask", arrays, labels, view, chunks, background, paint)


def of_many(name, arrays, values, view, chunks, background, paint):
    """Return the lazy image of many polygons in pixels; see `ManyPolygons`."""
    chunks, offset = check_chunks(chunks, view.shape, background.dtype), view.sampling.offset
    chunks = _turned_sizes(chunks, view.turn)
    index = make_index(boxes_of_features(arrays), bounds_of(chunks, offset))
    scene = ManyPolygons(arrays, values, index, background, paint, offset)
    return lazy(name, scene, chunks, background.dtype)[view.turn]


def _turned_sizes(chunks, turn):
    """Return the sizes of blocks along rows and columns, for an image that is turned afterwards."""
    return tuple(sizes[order] for sizes, order in zip(chunks, turn, strict=True))


def _of_one(name, arrays, view, chunks, dtype, draw):
    """Return the lazy image of one polygon; `draw` is that of `masks.polygon`."""
    rows, cols = view.shape
    packed_cols = cols if draw.keywords.get("packed") else None
    pixels = 1 if packed_cols is None else 8
    chunks = _turned_sizes(check_chunks(chunks, (rows, -(-cols // pixels)), dtype), view.turn)
    function = partial(_draw, draw=draw, sampling=view.sampling)
    _refuse_far_pixels(partial(function, arrays), view)
    offset = view.sampling.offset
    bounds = bounds_of((chunks[0], [pixels * size for size in chunks[1]]), offset)
    arrays = Ragged(*arrays[:3])  # each polygon is a feature
    indices = (make_index(boxes(arrays), bounds) for boxes in (boxes_of_features, boxes_of_edges))
    background = np.zeros((1, 1), dtype)
    scene = OnePolygon(arrays, *indices, function, background, offset, packed_cols)
    return lazy(name, scene, chunks, dtype)[view.turn]


def _refuse_far_pixels(draw, view):
    """Draw the first and the last pixel, which is an error if a pixel lies too far from 0."""
    offset, shape = view.sampling.offset, view.shape
    check_samples(shape, offset, view.sampling.center)
    if 0 not in shape:
        last = tuple(first + size - 1 for first, size in zip(offset, shape, strict=True))
        for pixel in (offset, last):
            draw((1, 1), offset=pixel)


def _draw(arrays, shape, offset, *, draw, sampling):
    return draw(arrays, shape, sampling._replace(offset=offset))


def _paint(arrays, labels, shape, offset, *, sampling, on_top):
    return images.draw(arrays, labels, shape, sampling._replace(offset=offset), on_top)
