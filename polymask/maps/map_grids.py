"""The grid of an image on a map, from an affine transform, an xarray object or an open raster."""

from typing import Any, NamedTuple

from polymask.maps import crs, georeference, grids

DIMENSIONS = "dims", "coords"  # of an xarray object
RASTER = "transform", "shape", "crs"  # of an open raster of rasterio


class MapGrid(NamedTuple):
    """An image on a map.

    Attributes
    ----------
    transform : Affine
        From the pixels of the image with rows from the north and columns from the west.
    turn : tuple of slice
        The index that converts that image into the given one.
    shape : tuple of int
        (rows, cols).
    center : bool
        Whether the centres of pixels lie half a pixel from the integers of `transform`.
    system : str, object or None
        The coordinate reference system, as for `pyproj.CRS`, if known.
    degrees : bool or None
        Whether coordinates are degrees, if those of an xarray object say so themselves.
    """

    transform: georeference.Affine
    turn: tuple[slice, slice]
    shape: tuple[int, int]
    center: bool
    system: Any = None
    degrees: bool | None = None


def read(transform, shape, has_offset=False):
    """Return the MapGrid of the option `transform` of the public functions.

    Parameters
    ----------
    transform : sequence of six or nine numbers, xarray.DataArray or Dataset, or open raster
    shape : tuple of int, or None for that of the object
    has_offset : bool
        Whether the shape is that of a window, and may differ from that of the object.
    """
    if all(hasattr(transform, name) for name in DIMENSIONS):
        along = grids.axes(transform)
        _refuse_columns_first(transform, along)
        own = tuple(axis.size for axis in along)
        affine, turn = grids.transform(along)
        degrees = grids.are_degrees(along[0])
        grid = MapGrid(affine, turn, own, False, crs.from_grid(transform), degrees)
    elif all(hasattr(transform, name) for name in RASTER):
        own, system = tuple(transform.shape[-2:]), transform.crs and transform.crs.to_wkt()
        affine, turn = georeference.affine(transform.transform).north_up(own)
        grid = MapGrid(affine, turn, own, True, system)
    else:
        if shape is None:
            raise ValueError("shape is required: (rows, cols), unless `transform` has a grid")
        affine, turn = georeference.affine(transform).north_up(shape, is_map=False)
        return MapGrid(affine, turn, shape, True)
    if shape is None or shape == own:
        return grid
    if not has_offset and 0 not in shape:
        raise ValueError(f"shape {shape} is not {own}, that of the grid of `transform`: omit it")
    return grid._replace(shape=shape)


def _refuse_columns_first(like, along):
    """Refuse an image whose rows run along x, because results have rows along y."""
    y, x = (axis.dims[0] for axis in along)
    if isinstance(like.dims, tuple) and like.dims.index(x) < like.dims.index(y):
        raise ValueError(
            f"the rows of `transform` run along {x}: pass its .transpose(..., {y!r}, {x!r})"
        )
