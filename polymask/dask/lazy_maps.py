"""Values of geometries burned into lazy images, on a given grid or that of an xarray object."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import dask.array as da

from polymask import contract
from polymask.dask.blocks import check_chunks
from polymask.dask.lazy_masks import NOTHING, of_many
from polymask.dask.lazy_partitions import refuse_partitions
from polymask.maps import georeference
from polymask.masks import burning
from polymask.masks.rasterize_like import check_grid_crs, read_grid
from polymask.masks.sampling import NO_OFFSET, check_sampling

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from typing import SupportsIndex

    from numpy.typing import ArrayLike

    from polymask.hints import DType, Flag, Number, OnTop, Pair, Scalar, Shapes, Touched


def rasterize(
    shapes: Shapes,
    out_shape: Pair,
    *,
    chunks: Any = "auto",
    fill: Scalar = 0,
    transform: Iterable[Number] = georeference.IDENTITY,
    to_crs: Any = None,
    default_value: Scalar = 1,
    values: ArrayLike | None = None,
    dtype: DType = None,
    merge_alg: Any = "replace",
    on_top: OnTop = "last",
    border_value: Flag | None = None,
    watertight: Flag = True,
    all_touched: Touched = False,
    threads: SupportsIndex | None = 1,
) -> da.Array:
    """Burn the values of geometries into an image, as a lazy Dask array.

    Blocks without geometries are read-only arrays of one value, without memory of their own.

    Parameters
    ----------
    shapes : iterable of (geometry, value) or geometry; GeoSeries, ndarray, ...
        As for `polymask.rasterize`.
    out_shape : tuple of int
        (rows, cols), which may exceed the memory.
    chunks : int, tuple, str or dict
        The sizes of the blocks, as for `dask.array.zeros`.
    fill, transform, to_crs, default_value, values, dtype, merge_alg, on_top
        As for `polymask.rasterize`. With "add", a sum that does not fit `dtype` is an error of its
        block; sums that might not fit 64 bits are refused during the call.
    border_value, watertight, all_touched
        As for `polymask.rasterize`.
    threads : int, optional
        As for `polymask.polygon_mask`, for each block. By default 1, because Dask computes blocks
        in parallel.

    Returns
    -------
    dask.array.Array, shape (rows, cols)

    Raises
    ------
    TypeError, ValueError
        If a geometry or value (the message names it), the chunks or an option is invalid: during
        the call.

    Examples
    --------
    >>> import polymask.dask
    >>> farm = [(500010, 6000000), (500050, 6000000), (500050, 5999980), (500010, 5999980)]
    >>> grid = {"transform": (10, 0, 500000, 0, -10, 6000000), "chunks": (3, 2)}
    >>> polymask.dask.rasterize([(farm, 7)], (3, 6), **grid).compute()
    array([[0, 7, 7, 7, 7, 0],
           [0, 7, 7, 7, 7, 0],
           [0, 0, 0, 0, 0, 0]], dtype=uint8)
    """
    refuse_partitions(shapes)
    overlaps = burning.check_overlaps(merge_alg, on_top)
    shape = contract.check_shape(out_shape, shapes, "out_shape")
    fill = contract.check_number(fill, "fill")
    transform, turn = georeference.affine(transform).north_up(shape, to_crs is not None)
    placed = burning.place_on_grid(
        shapes, values, default_value, transform, to_crs, shape, center=True
    )
    sampling = check_sampling(
        shape, border_value, True, NO_OFFSET, watertight, all_touched, threads
    )
    return _burn("rasterize", placed, shape, chunks, fill, dtype, overlaps, sampling, turn)


def rasterize_like(
    shapes: Shapes,
    like: Any,
    *,
    chunks: Any = "auto",
    x: Hashable = None,
    y: Hashable = None,
    to_crs: Any = None,
    fill: Scalar = 0,
    default_value: Scalar = 1,
    values: ArrayLike | None = None,
    dtype: DType = None,
    merge_alg: Any = "replace",
    on_top: OnTop = "last",
    keep_attrs: Flag = True,
    border_value: Flag | None = None,
    watertight: Flag = True,
    all_touched: Touched = False,
    threads: SupportsIndex | None = 1,
) -> Any:
    """Burn the values of geometries into a lazy image on the grid of an xarray object.

    Parameters
    ----------
    shapes, like
        As for `polymask.rasterize_like`. Only the coordinates of `like` are read.
    chunks : int, tuple, str or dict
        The sizes of the blocks of rows and columns, as for `dask.array.zeros`.
    x, y, to_crs, fill, default_value, values, dtype, merge_alg, on_top, keep_attrs
        As for `polymask.rasterize_like`.
    border_value, watertight, all_touched, threads
        As for `polymask.dask.rasterize`.

    Returns
    -------
    xarray.DataArray with the dimensions of the two coordinates, y first
        Its data are a Dask array. Coordinates and attributes are those of `like`, as for
        `polymask.rasterize_like`.

    Raises
    ------
    TypeError, ValueError, Unavailable
        As for `polymask.rasterize_like`, and if the chunks are invalid.

    Examples
    --------
    >>> import numpy as np, xarray
    >>> import polymask.dask
    >>> grid = xarray.DataArray(
    ...     np.zeros((3, 5)), {"lat": [51.0, 47.0, 43.0], "lon": [-4.0, -1.0, 2.0, 5.0, 8.0]}
    ... )
    >>> france = [(-4.5, 48.5), (2.5, 51.5), (8.5, 48.5), (6.5, 43.5), (3.5, 42.5), (-1.5, 43.5)]
    >>> image = polymask.dask.rasterize_like([france], grid, chunks=2)
    >>> image.chunks
    ((2, 1), (2, 2, 1))
    >>> image.values
    array([[0, 0, 1, 0, 0],
           [0, 1, 1, 1, 0],
           [0, 0, 1, 1, 0]], dtype=uint8)
    """
    refuse_partitions(shapes)
    overlaps = burning.check_overlaps(merge_alg, on_top)
    grid = read_grid(like, x, y, keep_attrs)
    fill = contract.check_number(fill, "fill")
    to_crs = check_grid_crs(shapes, like, to_crs)
    shape = grid.shape
    placed = burning.place_on_grid(
        shapes, values, default_value, grid.transform, to_crs, shape, False, grid.system
    )
    sampling = check_sampling(
        shape, border_value, False, NO_OFFSET, watertight, all_touched, threads
    )
    return grid.as_array(
        _burn("rasterize_like", placed, shape, chunks, fill, dtype, overlaps, sampling, grid.turn)
    )


def _burn(name, placed, shape, chunks, fill, dtype, overlaps, sampling, turn):
    """Return the lazy image of polygons that were placed on a grid, with their values.

    `turn` is the index of `Affine.north_up`.
    """
    (polygons, values), (adds, on_top) = placed, overlaps
    dtype = burning.smallest_dtype(values, fill, adds) if dtype is None else dtype
    adds = adds and values.dtype.kind
    values = burning.cast(values, dtype, "value {} of geometry {}").copy()
    paint = partial(_paint, fill=fill, sampling=sampling, adds=adds, on_top=on_top)
    paint(polygons, values, NOTHING, NO_OFFSET)  # refuses invalid arguments
    background = paint(polygons.some(0, 0), values[:0], (1, 1), NO_OFFSET)
    chunks = check_chunks(chunks, shape, background.dtype)
    chunks = tuple(sizes[order] for sizes, order in zip(chunks, turn, strict=True))
    return of_many(name, polygons, values, shape, chunks, background, paint, sampling)[turn]


def _paint(polygons, values, shape, offset, *, fill, sampling, adds, on_top):
    sampling = sampling._replace(offset=offset)
    return burning.burn(polygons, values, shape, fill, sampling, adds, on_top)
