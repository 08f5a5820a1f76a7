"""Values of geometries burned into lazy images, on a given grid or that of an xarray object."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import dask.array as da

from polymask import contract
from polymask.common.twins import options_of, twin_of
from polymask.dask.blocks import refuse_partitions
from polymask.dask.lazy_masks import of_many
from polymask.maps import georeference
from polymask.maps.map_grids import MapGrid
from polymask.masks import burning
from polymask.masks import rasterize as of_arrays
from polymask.masks import rasterize_like as of_grids
from polymask.masks.sampling import NO_OFFSET, check_sampling
from polymask.masks.view import View

if TYPE_CHECKING:
    from typing import SupportsIndex

    from polymask.hints import Pair, Scalar, Shapes

NOTHING = (0, 0)  # an image of this shape checks all arguments


@twin_of(of_arrays.rasterize, without=("out",))
def rasterize(
    shapes: Shapes,
    out_shape: Pair,
    *,
    chunks: Any = "auto",
    fill: Scalar = 0,
    threads: SupportsIndex | None = 1,
    **options: Any,
) -> da.Array:
    """Burn the values of geometries into an image, as a lazy Dask array.

    Blocks without geometries are read-only arrays of one value, without memory of their own.

    Parameters
    ----------
    out_shape, chunks, threads
        As `shape`, `chunks` and `threads` for `polymask.dask.polygon_mask`.
    fill : number
        The value outside all geometries.

    Returns
    -------
    dask.array.Array, shape (rows, cols)

    Raises
    ------
    TypeError, ValueError
        If a geometry or value (the message names it), the chunks or an option is invalid: during
        the call. With "add", a sum that does not fit `dtype` is an error of its block; sums that
        might not fit 64 bits are refused during the call.

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
    given = options_of(rasterize, {"fill": fill, "threads": threads, **options})
    refuse_partitions(shapes)
    shape = contract.check_shape(out_shape, shapes, "out_shape")
    transform, turn = georeference.affine(given.transform).north_up(shape, is_map=False)
    return _burn("rasterize", shapes, MapGrid(transform, turn, shape, True), chunks, given)


@twin_of(of_grids.rasterize_like, without=("wrap",))
def rasterize_like(
    shapes: Shapes,
    like: Any,
    *,
    chunks: Any = "auto",
    threads: SupportsIndex | None = 1,
    **options: Any,
) -> Any:
    """Burn the values of geometries into a lazy image on the grid of an xarray object.

    Parameters
    ----------
    like : xarray.DataArray or xarray.Dataset
        As for `polymask.rasterize_like`. Only its coordinates are read.
    chunks, threads
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
    given = options_of(rasterize_like, {"threads": threads, **options})
    refuse_partitions(shapes)
    grid = of_grids.read_grid(like, given.x, given.y, given.keep_attrs)
    of_grids.refuse_other_crs(shapes, like)
    on_map = MapGrid(grid.transform, grid.turn, grid.shape, False, grid.system)
    return grid.as_array(_burn("rasterize_like", shapes, on_map, chunks, given))


def _burn(name, shapes, grid, chunks, given):
    """Return the lazy image of geometries on a grid; `given` are the options of the function."""
    adds, on_top = burning.check_overlaps(given.merge_alg, given.on_top)
    fill = contract.check_number(given.fill, "fill")
    polygons, values = burning.place_on_grid(
        *(shapes, given.values, given.default_value, grid.transform, grid.shape),
        *(grid.center, grid.system),
    )
    names = "border_value", "watertight", "all_touched", "threads"
    options = {name: getattr(given, name) for name in names}
    sampling = check_sampling(grid.shape, center=grid.center, **options)
    dtype = burning.smallest_dtype(values, fill, adds) if given.dtype is None else given.dtype
    adds = adds and values.dtype.kind
    values = burning.cast(values, dtype, "value {} of geometry {}").copy()
    paint = partial(_paint, fill=fill, sampling=sampling, adds=adds, on_top=on_top)
    paint(polygons, values, NOTHING, NO_OFFSET)  # refuses invalid arguments
    background = paint(polygons.some(0, 0), values[:0], (1, 1), NO_OFFSET)
    view = View(grid.shape, sampling, grid=grid)
    return of_many(name, polygons, values, view, chunks, background, paint)


def _paint(polygons, values, shape, offset, *, fill, sampling, adds, on_top):
    sampling = sampling._replace(offset=offset)
    return burning.burn(polygons, values, shape, fill, sampling, adds, on_top)
