"""Burning polygons into an image on the grid of an xarray object."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from polymask import contract
from polymask.forms.ragged import moved
from polymask.maps import crs, georeference, grids, longitudes
from polymask.masks import burning
from polymask.masks.sampling import check_sampling

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import ArrayLike

    from polymask.hints import DType, Flag, OnTop, Scalar, Shapes, Touched


def rasterize_like(
    shapes: Shapes,
    like: Any,
    *,
    x: Hashable = None,
    y: Hashable = None,
    fill: Scalar = 0,
    default_value: Scalar = 1,
    values: ArrayLike | None = None,
    dtype: DType = None,
    merge_alg: Any = "replace",
    on_top: OnTop = "last",
    wrap: Flag = False,
    keep_attrs: Flag = True,
    border_value: Flag | None = None,
    watertight: Flag = True,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> Any:
    """Burn the values of geometries into an image on the grid of an xarray object.

    Samples lie at the grid's coordinates, the centres of its cells, whatever the direction of the
    axes. With `all_touched`, a cell extends half a step on each side of its coordinates.
    `polymask.dask.rasterize_like` returns a lazy image, by blocks.

    Parameters
    ----------
    shapes : iterable of (geometry, value) or geometry; GeoSeries, ndarray, ...
        As for `rasterize`, but in the units of the coordinates. A GeoSeries or GeoDataFrame in
        another reference system than that of `like` is an error: convert it with its `to_crs`.
    like : xarray.DataArray or xarray.Dataset
        The object whose coordinates define the grid. They must be evenly spaced, and two or more.
    x, y : hashable, optional
        Names of the coordinates. By default, `x` is the first of "x", "lon" and "longitude" that is
        the coordinate of a dimension with the same name, and `y` the first such one of "y", "lat"
        and "latitude". A coordinate given by name may have a different name from its dimension.
    fill, default_value, values, dtype, merge_alg, on_top
        As for `rasterize`.
    wrap : bool
        Whether x is a longitude in degrees, so that shapes are also drawn 360, 720, ... degrees
        east and west of their coordinates, wherever they reach the grid. A copy is drawn as from
        exact coordinates. A shape across the 180th meridian is cut there, as RFC 7946 prescribes,
        or continues beyond 180 or -180. Longitudes must lie between -720 and 720.
    keep_attrs : bool
        Whether to copy the attributes of `like` to the result; coordinates always keep theirs.
    border_value, watertight, all_touched, threads
        As for `rasterize`: by default, the east and the south side of a rectangle are inside if no
        side is moved by rounding, and both at a pole. Names and units of coordinates and the CRS
        of `like` also tell whether units are degrees.

    Returns
    -------
    xarray.DataArray with the dimensions of the two coordinates, y first
        It keeps all the coordinates of `like` that have no other dimensions, such as the one that
        describes the coordinate reference system.

    Raises
    ------
    TypeError, ValueError
        If a coordinate does not exist or is not evenly spaced, if the reference systems differ, or
        for any of the reasons listed for `rasterize`.
    Unavailable
        If reference systems must be compared but pyproj is not installed.

    Examples
    --------
    >>> import numpy as np, xarray
    >>> import polymask
    >>> grid = xarray.DataArray(
    ...     np.zeros((3, 5)), {"lat": [51.0, 47.0, 43.0], "lon": [-4.0, -1.0, 2.0, 5.0, 8.0]}
    ... )
    >>> france = [(-4.5, 48.5), (2.5, 51.5), (8.5, 48.5), (6.5, 43.5), (3.5, 42.5), (-1.5, 43.5)]
    >>> polymask.rasterize_like([france], grid).values
    array([[0, 0, 1, 0, 0],
           [0, 1, 1, 1, 0],
           [0, 0, 1, 1, 0]], dtype=uint8)
    """
    adds, on_top = burning.check_overlaps(merge_alg, on_top)
    grid = read_grid(like, x, y, keep_attrs)
    transform = grid.transform
    fill = contract.check_number(fill, "fill")
    wrap = contract.check_flag(wrap, "wrap")
    refuse_other_crs(shapes, like)
    polygons, values = burning.read_on_map(shapes, values, default_value)
    if wrap and on_top == "smallest":
        raise ValueError('wrap needs on_top="last" or "first": copies would count in the area')
    place = georeference.keeping_poles(
        transform.to_pixels, transform, grid.shape, False, grid.system
    )
    if wrap:
        edges = transform.c - transform.a / 2, transform.c + (grid.shape[1] - 0.5) * transform.a
        polygons = longitudes.wrap(polygons, edges, place)
    else:
        polygons = moved(polygons, place)
    dtype = burning.smallest_dtype(values, fill, adds) if dtype is None else dtype
    adds = adds and values.dtype.kind
    values = burning.cast(values, dtype, "value {} of geometry {}")
    options = {"border_value": border_value, "watertight": watertight, "threads": threads}
    sampling = check_sampling(grid.shape, all_touched=all_touched, **options)
    image = burning.burn(polygons, values, grid.shape, fill, sampling, adds, on_top)
    return grid.as_array(georeference.turned(image, grid.turn))


class Grid(NamedTuple):
    """The grid of an xarray object; `turn` converts images by `transform` into images on it.

    `system` is its reference system, or whether its units are degrees; None if unknown.
    """

    shape: tuple[int, int]
    transform: georeference.Affine
    turn: tuple[slice, ...]
    dims: tuple[Hashable, Hashable]
    coordinates: dict[Hashable, Any]
    attrs: Mapping[Any, Any] | None
    system: Any

    def as_array(self, image: Any) -> Any:
        """Return an image as an xarray.DataArray on the grid."""
        import xarray

        array = xarray.DataArray(image, self.coordinates, self.dims, attrs=self.attrs)
        return array.rename(None)  # xarray takes over the name of a Dask array


def read_grid(like, x, y, keep_attrs):
    """Check the arguments of `rasterize_like` that define its grid, and return the Grid."""
    import xarray

    if not isinstance(like, (xarray.DataArray, xarray.Dataset)):
        raise TypeError(
            f"`like` must be an xarray object with coordinates, got {type(like).__name__}"
        )
    attrs = like.attrs if contract.check_flag(keep_attrs, "keep_attrs") else None
    axes = grids.axes(like, x, y)
    transform, turn = grids.transform(axes)
    dims, shape = (tuple(axis.dims[0] for axis in axes), tuple(axis.size for axis in axes))
    coordinates = {name: axis for name, axis in like.coords.items() if set(axis.dims) <= set(dims)}
    degrees = grids.are_degrees(axes[0])
    system = crs.from_grid(like) if degrees is None else degrees
    return Grid(shape, transform, turn, dims, coordinates, attrs, system)


def refuse_other_crs(shapes, like):
    """Raise an error if the shapes and the grid have different reference systems."""
    grid, source = crs.from_grid(like), getattr(shapes, "crs", None)
    if grid is not None and source is not None:
        advice = "convert the shapes with their method to_crs"
        crs.refuse_difference(("`shapes`", source), ("`like`", grid), advice)
