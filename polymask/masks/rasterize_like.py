"""Burning polygons into an image on the grid of an xarray object."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polymask import contract
from polymask.common.error_text import quote
from polymask.geodata import crs, georeference
from polymask.masks import burning
from polymask.masks.sampling import NO_OFFSET, check_sampling

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import ArrayLike

    from polymask.hints import DType, Flag, OnTop, Scalar, Shapes, Touched

AXES = {"x": ("x", "lon", "longitude"), "y": ("y", "lat", "latitude")}
UNEVEN = 1e-3  # the largest allowed deviation from even spacing, as a fraction of the step


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
    dtype: DType = None,
    merge_alg: Any = "replace",
    on_top: OnTop = "last",
    keep_attrs: Flag = True,
    border_value: Flag | None = True,
    watertight: Flag = False,
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
        As for `rasterize`, but in the units of the coordinates.
    like : xarray.DataArray or xarray.Dataset
        The object whose coordinates define the grid. They must be evenly spaced, with at least two
        along each axis.
    x, y : hashable, optional
        Names of the coordinates. By default, `x` is the first of "x", "lon" and "longitude" that is
        the coordinate of a dimension with the same name, and `y` the first such one of "y", "lat"
        and "latitude". A coordinate given by name may have a different name from its dimension.
    to_crs : str, pyproj.CRS or True, optional
        As for `rasterize`; True means the coordinate reference system of `like`. If None, shapes in
        a system other than that of `like` raise an error.
    fill, default_value, values, dtype, merge_alg, on_top
        As for `rasterize`.
    keep_attrs : bool
        Whether to copy the attributes of `like` to the result; coordinates always keep theirs.
    border_value, watertight, all_touched, threads
        As for `rasterize`.

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
    fill = contract.check_number(fill, "fill")
    to_crs = check_grid_crs(shapes, like, to_crs)
    polygons, values = burning.place_on_grid(shapes, values, default_value, grid.transform, to_crs)
    dtype = burning.smallest_dtype(values, fill, adds) if dtype is None else dtype
    values = burning.cast(values, dtype, "value {} of geometry {}")
    options = border_value, False, NO_OFFSET, watertight, all_touched, threads
    sampling = check_sampling(grid.shape, *options)
    return grid.wrap(burning.burn(polygons, values, grid.shape, fill, sampling, adds, on_top))


class Grid(NamedTuple):
    """The grid of an xarray object."""

    shape: tuple[int, int]
    transform: georeference.Affine
    dims: tuple[Hashable, Hashable]
    coordinates: dict[Hashable, Any]
    attrs: Mapping[Any, Any] | None

    def wrap(self, image: Any) -> Any:
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
    axes = [like[_name(like, "y", y)], like[_name(like, "x", x)]]
    (f, e), (c, a) = map(_start_and_step, axes)
    dims, shape = (tuple(axis.dims[0] for axis in axes), tuple(axis.size for axis in axes))
    if dims[0] == dims[1]:
        raise ValueError(f"coordinates {axes[1].name} and {axes[0].name} share a dimension")
    coordinates = {name: axis for name, axis in like.coords.items() if set(axis.dims) <= set(dims)}
    return Grid(shape, georeference.Affine(a, 0, c, 0, e, f), dims, coordinates, attrs)


def _name(like, axis, choice):
    """Return the name of the coordinate along an axis."""
    if choice is not None:
        if not isinstance(choice, Hashable) or choice not in like.coords:
            names = list(like.coords)
            raise ValueError(f"`like` has no coordinate {quote(choice)}, only {names}")
        return choice
    candidates = [name for name in AXES[axis] if name in like.coords]
    for name in candidates:
        if like[name].dims == (name,):
            return name
    for name in candidates:
        _refuse_no_axis(like[name])
        dim = like[name].dims[0]
        raise ValueError(
            f"coordinate {name} lies along dimension {dim}: pass {axis}={name!r} to use it"
        )
    raise ValueError(
        "`like` has no coordinate named {}, {} or {}: ".format(*AXES[axis])
        + f"pass the name of one as {axis}="
    )


def _refuse_no_axis(coordinate):
    """Raise an error if a coordinate does not have exactly one dimension."""
    name, dims = coordinate.name, coordinate.dims
    if not dims:
        raise ValueError(
            f"coordinate {name} is a scalar: select a slice of two or more values instead of one"
        )
    if len(dims) > 1:
        raise ValueError(
            f"coordinate {name} has {len(dims)} dimensions ({', '.join(map(str, dims))}): regrid "
            "the data so that each coordinate has only one"
        )


def _start_and_step(coordinate):
    """Return the first value and the step of a coordinate, whose values must be evenly spaced."""
    _refuse_no_axis(coordinate)
    values, name = coordinate.values, coordinate.name
    if values.size < 2 or values.dtype.kind not in "iuf":
        raise ValueError(
            f"coordinate {name} must contain at least two numbers along one axis, "
            f"got shape {values.shape}, dtype {values.dtype}"
        )
    with np.errstate(all="ignore"):  # non-finite values fail the test below
        values = values.astype(np.float64)
        step = (values[-1] - values[0]) / (values.size - 1)
        errors = np.abs(values - (values[0] + step * np.arange(values.size)))
    if not (step and (errors <= UNEVEN * abs(step)).all()):
        raise ValueError(f"coordinate {name} is not evenly spaced")
    return values[0], step


def check_grid_crs(shapes, like, to_crs):
    """Return the reference system to convert shapes to, or None.

    Raise an error if the shapes and the grid have different systems.
    """
    grid = crs.from_grid(like)
    if to_crs is True:
        if grid is None:
            raise ValueError(
                "to_crs=True needs a coordinate reference system in `like`, which has none: pass "
                "one as to_crs instead"
            )
        return grid
    source = getattr(shapes, "crs", None)
    if to_crs is None and grid is not None and source is not None:
        advice = "pass to_crs=True, or convert the shapes with shapes.to_crs"
        crs.refuse_difference(("`shapes`", source), ("`like`", grid), advice)
    return to_crs
