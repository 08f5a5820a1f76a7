"""Lazy images: a Dask array whose blocks are windows of a scene."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import dask
import dask.array as da
import numpy as np
from dask.array.core import normalize_chunks
from dask.base import tokenize
from dask.delayed import delayed
from dask.layers import ArraySliceDep
from dask.system import CPU_COUNT
from numpy.typing import NDArray

from polymask.common.error_text import quote
from polymask.dask.block_index import BlockIndex
from polymask.forms.ragged import Ragged, take


@dataclass(frozen=True, eq=False)
class ManyPolygons:
    """Many polygons with values, and how to paint those that lie near a window.

    Attributes
    ----------
    arrays : Ragged
    values : ndarray, shape (N,)
    index : BlockIndex of the features
    background : ndarray, shape (1, 1)
        The value outside all polygons.
    paint : callable
        Returns the image of ``(arrays, values, shape, offset)``.
    offset : tuple of int
        (row, column) of the first sample.
    """

    arrays: Ragged
    values: NDArray[Any]
    index: BlockIndex
    background: NDArray[Any]
    paint: Callable[..., NDArray[Any]]
    offset: tuple[int, int]

    def draw(self, rows: slice, cols: slice) -> NDArray[Any]:
        """Return a block of the image; it is read-only if it is constant."""
        shape, offset = window(rows, cols, self.offset)
        near = self.index.near(shape, offset)
        if not len(near):
            return np.broadcast_to(self.background, shape)
        return self.paint(take(self.arrays, near), self.values[near], shape, offset)


@dataclass(frozen=True, eq=False)
class OnePolygon:
    """One polygon, of several parts, and how to draw those that lie near a window.

    Attributes
    ----------
    arrays : Ragged
        Each part is a feature.
    parts, edges : BlockIndex
    function : callable
        Returns the image of ``(arrays, shape, offset)``.
    background : ndarray, shape (1, 1)
        The value outside the polygon.
    offset : tuple of int
        (row, column) of the first sample.
    packed_cols : int or None
        The number of columns, if a column of the result is a byte of eight pixels.
    """

    arrays: Ragged
    parts: BlockIndex
    edges: BlockIndex
    function: Callable[..., NDArray[Any]]
    background: NDArray[Any]
    offset: tuple[int, int]
    packed_cols: int | None = None

    def draw(self, rows: slice, cols: slice) -> NDArray[Any]:
        """Return a block of the image; it is read-only if it is constant."""
        result = rows.stop - rows.start, cols.stop - cols.start
        if self.packed_cols is not None:
            cols = slice(8 * cols.start, min(8 * cols.stop, self.packed_cols))
        shape, offset = window(rows, cols, self.offset)
        near = self.parts.near(shape, offset)
        if not len(near) or 0 in result:
            return np.broadcast_to(self.background, result)
        polygons = take(self.arrays, near)
        pixels = 1 if self.packed_cols is None else 8
        if shape[1] % pixels or len(self.edges.near(shape, offset)):
            return self.function(polygons, shape, offset)
        # No edge is near, so all pixels are inside the same parts.
        return np.broadcast_to(self.function(polygons, (1, pixels), offset), result)


def refuse_partitions(polygons: Any) -> None:
    """Refuse a lazy collection of partitions, such as a GeoSeries of dask-geopandas."""
    if hasattr(polygons, "to_delayed") and hasattr(polygons, "npartitions"):
        raise TypeError(f"{type(polygons).__name__} is lazy: pass its .compute(), or parts of it")


def check_chunks(
    chunks: Any, shape: tuple[int, int], dtype: np.dtype[Any]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the sizes of blocks along rows and columns."""
    try:
        rows, cols = normalize_chunks(chunks, shape, dtype=dtype)
        if min(*rows, *cols) < 0:
            raise ValueError
    except (ArithmeticError, TypeError, ValueError):
        raise ValueError(
            "chunks must be sizes of blocks, as for dask.array.zeros, that add up to the shape "
            f"{shape}, got {quote(chunks)}"
        ) from None
    return rows, cols


def bounds_of(
    chunks: Sequence[Sequence[int]], offset: Sequence[int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows and the columns at which blocks begin, and the end of the last block."""
    rows, cols = (
        start + np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        for start, sizes in zip(offset, chunks, strict=True)
    )
    return rows, cols


def lazy(
    name: str, scene: ManyPolygons | OnePolygon, chunks: Any, dtype: np.dtype[Any]
) -> da.Array:
    """Return the lazy image of a scene; its tasks have the name of the public function."""
    token = tokenize(scene)
    node = delayed(scene, name=f"polymask-polygons-{token}", traverse=False)
    return da.blockwise(
        _draw,
        "ij",
        ArraySliceDep(chunks),
        "ij",
        node,
        None,
        name=f"polymask-{name}-{tokenize(token, chunks)}",
        dtype=dtype,
        meta=np.empty((0, 0), dtype),
        align_arrays=False,
    )


def _draw(slices, scene):
    return scene.draw(*slices)


def window(
    rows: slice, cols: slice, offset: tuple[int, int]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the shape of a block and the position of its first sample."""
    shape = rows.stop - rows.start, cols.stop - cols.start
    return shape, (offset[0] + rows.start, offset[1] + cols.start)


def worker_threads() -> ThreadPoolExecutor:
    """Return a pool whose end waits for blocks that are being written, also after an error.

    Dask's own threads would go on, and write to the next image in the same folder.
    """
    return ThreadPoolExecutor(dask.config.get("num_workers", None) or CPU_COUNT)
