"""Polygons of a map burnt into an image, in the manner of `rasterio.features.rasterize`.

Vertices are taken into pixels, never pixels onto the map, and sampled at the pixels' centres. A
transform that scales by powers of two from a whole origin moves them without rounding.
"""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from polymask import contract
from polymask.common.error_text import shown
from polymask.contract import NO_SEQUENCES
from polymask.geodata import crs, feature_values, georeference
from polymask.geodata.ragged import Ragged, ragged
from polymask.masks import _many, labels, polygon

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from polymask.hints import (
        BurnOptions,
        DType,
        Flag,
        Generic,
        OnTop,
        Pair,
        Scalar,
        Shapes,
        Touched,
    )


INTEGERS = "uint8", "uint16", "int16", "uint32", "int32", "int64", "uint64"  # in order of choice
IDENTITY = 1, 0, 0, 0, 1, 0
AXES = {"x": ("x", "lon", "longitude"), "y": ("y", "lat", "latitude")}
TEXT = str, bytes, bytearray  # bad values, though they have a length
UNEVEN = 1e-3  # of a step, by which a coordinate may lie off the even ones that it is taken for


@overload
def rasterize(
    shapes: Shapes,
    out_shape: Pair | None = None,
    *,
    fill: None = None,
    out: NDArray[Generic],
    dtype: DType = None,
    **options: Unpack[BurnOptions],
) -> NDArray[Generic]: ...
@overload
def rasterize(
    shapes: Shapes,
    out_shape: Pair | None = None,
    *,
    fill: Scalar | None = None,
    out: None = None,
    dtype: type[Generic] | np.dtype[Generic],
    **options: Unpack[BurnOptions],
) -> NDArray[Generic]: ...
@overload
def rasterize(
    shapes: Shapes,
    out_shape: Pair | None = None,
    *,
    fill: Scalar | None = None,
    out: None = None,
    dtype: DType = None,
    **options: Unpack[BurnOptions],
) -> NDArray[Any]: ...
def rasterize(
    shapes,
    out_shape=None,
    *,
    fill=None,
    out=None,
    transform=IDENTITY,
    to_crs=None,
    default_value=1,
    values=None,
    dtype=None,
    merge_alg="replace",
    on_top="last",
    border_value=True,
    watertight=False,
    all_touched=False,
    threads=None,
):
    """Burn the values of geometries into an image; where they overlap, one shows, or their sum.

    Off the geometries' edges it equals `rasterio.features.rasterize`; of real vertices and
    `all_touched`, docs/all_touched.md says more.

    Parameters
    ----------
    shapes : iterable of (geometry, value) or geometry; GeoSeries, ndarray, ...
        Polygons on the map, in any form that `polymask.ragged.ragged` lists, or pairs of one and
        the value to burn, tuples or lists. What is no polygon is an error, as is a bad one.
    out_shape : tuple of int, optional
        (rows, cols); that of `out` if None.
    fill : number, optional
        The value where no geometry is; 0 if None. Not with `out`.
    out : ndarray, optional
        Array to burn into, its rows as `polygon_mask` wants them: what no geometry covers stays as
        it is.
    transform : sequence of six numbers, or affine.Affine
        (a, b, c, d, e, f) from pixels to the map: x = a column + b row + c, y = d column + e row +
        f. That is rasterio's order, not GDAL's. Pixel (row 0, column 0) reaches to column 1.
    to_crs : str or pyproj.CRS, optional
        The coordinate reference system of the map. A GeoSeries or GeoDataFrame that names another
        is converted by pyproj, with points added to edges so that they stay within a tenth of a
        pixel. If None, no reference system is looked at.
    default_value : number
        The value of a geometry that comes without one.
    values : array_like, shape (N,), optional
        A value per geometry, where `shapes` has none. Columns of pandas, pyarrow and polars are
        taken exactly; a value that is missing in them is an error, NaN is a number.
    dtype : dtype, optional
        Of integers, floats or bool; that of `out` if None, else the first that holds all values and
        `fill`: uint8, uint16, int16, uint32, int32, int64, uint64; float64 if one is no integer.
        With "add", the first that holds `fill` and all values added up.
    merge_alg : {"replace", "add"}, or rasterio.enums.MergeAlg
        What becomes of overlaps: a value is replaced by the one on top, or each is added to `fill`,
        or to what `out` has, one after the other. Sums of integers are exact: one that does not fit
        `dtype` is an error, where GDAL's stops at the largest number. Where the values added up do
        not fit it, the call takes another eight bytes per pixel to look; where they might not fit
        64 bits, it refuses at once, as if all overlapped. float16 is added up as float32, of
        `fill` and values that were rounded to float16.
    on_top : {"last", "first", "smallest"}
        Which geometry shows where some overlap, as for `label_mask`; areas are those in pixels.
    border_value, watertight, all_touched, threads
        As for `polygon_mask`.

    Returns
    -------
    ndarray, shape (rows, cols)
        It is `out` if that was given.

    Raises
    ------
    TypeError, ValueError
        If a geometry, a value (the text says which) or an option is bad. Nothing has been written
        then.

    Examples
    --------
    >>> import polymask
    >>> farm = [(500010, 6000000), (500050, 6000000), (500050, 5999980), (500010, 5999980)]
    >>> polymask.rasterize([(farm, 7)], (3, 6), transform=(10, 0, 500000, 0, -10, 6000000))
    array([[0, 7, 7, 7, 7, 0],
           [0, 7, 7, 7, 7, 0],
           [0, 0, 0, 0, 0, 0]], dtype=uint8)
    """
    adds, on_top = _check_overlaps(merge_alg, on_top)
    if out_shape is None and out is None:
        raise ValueError("one of out_shape and out is needed")
    if out is not None and fill is not None:
        raise ValueError("fill makes no sense with out, which keeps what no geometry covers")
    if out is not None and not isinstance(out, np.ndarray):
        contract.check_out(out, out_shape, dtype)  # refuses it in its words
    shape = polygon.check_shape(out.shape if out_shape is None else out_shape, shapes, "out_shape")
    fill = 0 if fill is None else _as_fill(fill)
    transform = georeference.affine(transform)
    found, values = _on_grid(shapes, values, default_value, transform, to_crs)
    if dtype is None:
        dtype = _smallest(values, fill, adds) if out is None else out.dtype
    values = _cast(values, dtype, "value {} of geometry {}")
    how = border_value, True, contract.NO_OFFSET, watertight, threads
    sampling = *contract.check_sampling(shape, *how), contract.check_all_touched(all_touched)
    if out is None:
        return _burn(found, values, shape, fill, sampling, adds, on_top)
    contract.check_out(out, shape, values.dtype)
    found = Ragged(*contract.apart_from(out, found))
    many = _many.Many(found, shape, *sampling)
    if adds:
        image = np.asarray(out)  # whatever kind of array it is
        _add(many, values, image, (image.min(initial=0), image.max(initial=0)))
    else:
        labels.paint(many, values, out, on_top, keeps=True)
    return out


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

    Samples are the grid's coordinates, so cells are sampled at their centres, whichever way the
    axes run; with `all_touched` a cell reaches half a step to each side.

    Parameters
    ----------
    shapes : iterable of (geometry, value) or geometry; GeoSeries, ndarray, ...
        As for `rasterize`, in the units of the coordinates.
    like : xarray.DataArray or xarray.Dataset
        What has the coordinates: evenly spaced, two or more along each axis.
    x, y : hashable, optional
        Their names; if None the first there is of x, lon, longitude, and of y, lat, latitude. Those
        named may be called otherwise than their dimensions.
    to_crs : str, pyproj.CRS or True, optional
        As for `rasterize`; True means the coordinate reference system that `like` names. If None,
        shapes that name another than `like` are an error.
    fill, default_value, values, dtype, merge_alg, on_top
        As for `rasterize`.
    keep_attrs : bool
        Whether the result has the attributes of `like`; those of coordinates it always has.
    border_value, watertight, all_touched, threads
        As for `rasterize`.

    Returns
    -------
    xarray.DataArray, dimensions (y, x), or those that coordinates so named lie along
        With all coordinates of `like` that do not depend on other dimensions, that of a coordinate
        reference system say.

    Raises
    ------
    TypeError, ValueError
        If there are no such coordinates, if the reference systems differ, and as for `rasterize`.
    Unavailable
        If reference systems are to be compared, and pyproj is not installed.

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
    import xarray

    adds, on_top = _check_overlaps(merge_alg, on_top)
    if not isinstance(like, (xarray.DataArray, xarray.Dataset)):
        raise TypeError(
            f"like must be an xarray object with coordinates, got {type(like).__name__}"
        )
    keep_attrs = contract.check_flag(keep_attrs, "keep_attrs")
    fill = _as_fill(fill)
    axes = [like[_name(like, "y", y)], like[_name(like, "x", x)]]
    (f, e), (c, a) = map(_even, axes)
    dims, shape = (tuple(axis.dims[0] for axis in axes), tuple(axis.size for axis in axes))
    if dims[0] == dims[1]:
        raise ValueError(f"coordinates {axes[1].name} and {axes[0].name} lie along one dimension")
    to_crs = _check_grid_crs(shapes, like, to_crs)
    transform = georeference.Affine(a, 0, c, 0, e, f)
    found, values = _on_grid(shapes, values, default_value, transform, to_crs)
    dtype = _smallest(values, fill, adds) if dtype is None else dtype
    values = _cast(values, dtype, "value {} of geometry {}")
    how = border_value, False, contract.NO_OFFSET, watertight, threads
    sampling = *contract.check_sampling(shape, *how), contract.check_all_touched(all_touched)
    image = _burn(found, values, shape, fill, sampling, adds, on_top)
    coordinates = {key: one for key, one in like.coords.items() if set(one.dims) <= set(dims)}
    return xarray.DataArray(image, coordinates, dims, attrs=like.attrs if keep_attrs else None)


def _name(like, axis, given):
    """Return the name of the coordinate along an axis."""
    if given is not None:
        if not isinstance(given, Hashable) or given not in like.coords:
            names = list(like.coords)
            raise ValueError(f"no coordinate is called {shown(given)}; there are {names}")
        return given
    others = [name for name in AXES[axis] if name in like.coords]
    for name in others:
        if like[name].dims == (name,):
            return name
    for name in others:
        _refuse_no_axis(like[name])
        along = f"coordinate {name} lies along {like[name].dims[0]}: name it by {axis}={name!r}"
        raise ValueError(f"{along}, if it is the one to take")
    raise ValueError(f"no coordinate is called {', '.join(AXES[axis])}: name it by {axis}=")


def _refuse_no_axis(coordinate):
    """Refuse a coordinate of a single value, or one of two dimensions or more."""
    name, dims = coordinate.name, coordinate.dims
    if not dims:
        raise ValueError(f"coordinate {name} is a scalar: keep two or more values, by a slice say")
    if len(dims) > 1:
        raise ValueError(
            f"coordinate {name} has {len(dims)} dimensions, {', '.join(map(str, dims))}: regrid to "
            "coordinates along one dimension each"
        )


def _even(coordinate):
    """Return the first value of a coordinate, and its step."""
    _refuse_no_axis(coordinate)
    values, name = coordinate.values, coordinate.name
    if values.size < 2 or values.dtype.kind not in "iuf":
        raise ValueError(
            f"coordinate {name} must be two or more numbers along an axis, "
            f"got shape {values.shape}, dtype {values.dtype}"
        )
    with np.errstate(all="ignore"):  # what is not finite is not even
        values = values.astype(np.float64)
        step = (values[-1] - values[0]) / (values.size - 1)
        off = np.abs(values - (values[0] + step * np.arange(values.size)))
    if not (step and (off <= UNEVEN * abs(step)).all()):
        raise ValueError(f"coordinate {name} is not evenly spaced")
    return values[0], step


def _check_grid_crs(shapes, like, to_crs):
    """Return the reference system to convert shapes to, None for none; refuse a difference."""
    grid = crs.of_grid(like)
    if to_crs is True:
        if grid is None:
            raise ValueError("to_crs=True: the grid names no coordinate reference system; name one")
        return grid
    source = getattr(shapes, "crs", None)
    if to_crs is None and grid is not None and source is not None:
        advice = "give to_crs=True, or shapes.to_crs of geopandas"
        crs.refuse_difference(("shapes", source), ("like", grid), advice)
    return to_crs


def _on_grid(shapes, values, default_value, transform, to_crs):
    """Return geometries as ragged arrays in pixels, and an array of their values."""
    source = None if to_crs is None else getattr(shapes, "crs", None)
    if values is None:
        shapes, values = _split(shapes, default_value)
    found = ragged(shapes)
    values = feature_values.check_values(values)
    if values.shape != (found.features,):
        raise ValueError(f"values of shape {values.shape} for {found.features} geometries")
    if source is not None and not crs.is_same(source, to_crs):
        found = crs.convert(found, source, to_crs, crs.TOLERANCE * transform.step)
    with np.errstate(all="ignore"):  # what is not finite is refused then
        vertices = transform.to_pixels(found.vertices)
    return ragged(found._replace(vertices=vertices)), values


def _split(shapes, default_value):
    """Return geometries, and a value for each."""
    whole = (np.ndarray, Ragged, Mapping, *NO_SEQUENCES)
    if (
        isinstance(shapes, whole)
        or hasattr(shapes, "__geo_interface__")
        or not isinstance(shapes, Iterable)
    ):
        default_value = contract.check_number(default_value, "default_value")
        return (found := ragged(shapes)), [default_value] * found.features
    if _is_pair(shapes) and isinstance(shapes[1], numbers.Number):
        raise ValueError("one geometry and its value go into a list: [(geometry, value)]")
    shapes = shapes if isinstance(shapes, tuple) else list(shapes)
    paired = [_is_pair(one) for one in shapes]
    if not all(paired):
        default_value = contract.check_number(default_value, "default_value")
    if not any(paired):
        return (found := ragged(shapes)), [default_value] * found.features
    geometries = [one[0] if pair else one for one, pair in zip(shapes, paired, strict=True)]
    values = [one[1] if pair else default_value for one, pair in zip(shapes, paired, strict=True)]
    return geometries, values


def _is_pair(found):
    """Whether it is a geometry and its value, good or bad, not a geometry nor a vertex."""
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        return False
    geometry, value = found
    if isinstance(geometry, numbers.Real):
        return False
    if value is None:  # a value that is missing, or a ring in a list
        return isinstance(found, tuple)
    if isinstance(value, TEXT):
        return True
    has_axes = getattr(value, "ndim", hasattr(value, "__len__"))
    return not has_axes and not hasattr(value, "__geo_interface__")


def _as_fill(fill):
    """Return what is burnt where no geometry is as a number of Python."""
    return contract.check_number(fill, "fill")


def _check_overlaps(merge_alg, on_top):
    """Return whether values are added up, and which shows else."""
    name = getattr(merge_alg, "name", merge_alg)
    name = name.lower() if isinstance(name, str) else name
    contract.check_choice(name, ("replace", "add"), "merge_alg")
    if name == "add" and contract.check_on_top(on_top) != "last":
        raise ValueError('on_top makes no sense with merge_alg="add", by which all values show')
    return name == "add", contract.check_on_top(on_top)


def _smallest(values, fill, adds):
    """Return the first of the usual types that holds all values and `fill`, or their sums."""
    if values.dtype.kind == "f" or not isinstance(fill, numbers.Integral):
        return np.float64
    low, high = min(values.min(initial=0).item(), fill), max(values.max(initial=0).item(), fill)
    if adds:
        low, high = _range_of_sums(values, (fill, fill))
    for name in INTEGERS:
        limits = np.iinfo(name)
        if limits.min <= low and high <= limits.max:
            return name
    raise ValueError(f"values {shown(low)} to {shown(high)} fit no integer type")


def _cast(values, dtype, text):
    """Return values in a dtype that holds them: integers and bool exactly."""
    dtype = contract.as_dtype(dtype, "one of integers, floats or bool")
    if dtype.kind not in "iufb" or dtype.itemsize > 8 or not dtype.isnative:
        other = "" if dtype.isnative else ", which is not of this machine's byte order"
        raise ValueError(f"dtype must be one of integers, floats or bool, got {dtype}{other}")
    with np.errstate(all="ignore"):
        cast = values.astype(dtype)
    fits = cast == values
    if dtype.kind == "f":  # which may round, but not to infinity
        fits = np.isfinite(cast) | ~np.isfinite(values)
    if not fits.all():
        first = int((~fits).argmax())
        raise ValueError(f"{text.format(values[first], first)} does not fit {dtype}")
    return cast


def _range_of_sums(values, start):
    """Return the least and the largest number that integers added to `start` can make."""
    low, high = start
    numbers_of = values.tolist()  # of Python: their sum is exact
    low = int(low) + sum(number for number in numbers_of if number < 0)
    return low, int(high) + sum(number for number in numbers_of if number > 0)


def _burn(found, values, shape, fill, sampling, adds, on_top):
    """Return a new image: labels whose bits are those of the values, or sums."""
    if not feature_values.has_64_bits(fill):
        raise TypeError(f"fill must be a real number of 64 bits, got {shown(fill)}")
    background = _cast(feature_values.check_values([fill]), values.dtype, "fill {}")
    contract.check_size(shape, values.dtype)
    many = _many.Many(found, shape, *sampling)
    if adds:
        image = np.full(shape, background) if background.any() else np.zeros(shape, values.dtype)
        _add(many, values, image, (background[0], background[0]))
        return image
    bits = np.dtype(f"u{values.itemsize}")
    background = background.view(bits)
    differing = values.view(bits) ^ background
    image = np.zeros(shape, bits)
    labels.paint(many, differing, image, on_top, out_is_zero=True)
    if background.any():  # drawn on zeros, in all bits that differ from those of fill
        image ^= background
    return image.view(values.dtype)


def _add(many, values, out, start):
    """Add each geometry's value to an image, whose least and largest values are `start`.

    If sums of integers may not fit its type, they are made in another array first.
    """
    wide = out.dtype
    if wide == np.float16:
        wide = np.float32
    elif wide.kind != "f":
        ends = (0, 1) if wide.kind == "b" else (np.iinfo(wide).min, np.iinfo(wide).max)
        if not _fits(possible := _range_of_sums(values, start), ends):
            if not _fits(possible, (np.iinfo(np.int64).min, np.iinfo(np.int64).max)):
                raise ValueError(
                    f"values add up to as much as {possible[0]} to {possible[1]} if all overlap, "
                    "which 64 bits do not hold: ask for a float dtype, or give smaller values"
                )
            wide = np.int64
    if wide == out.dtype:
        labels.paint(many, values, out, keeps=True, adds=True)
        return
    sums = out.astype(wide)
    labels.paint(many, values.astype(wide), sums, keeps=True, adds=True)
    if wide == np.int64 and out.size and not _fits(found := (sums.min(), sums.max()), ends):
        beyond = found[1] if found[1] > ends[1] else found[0]
        raise ValueError(
            f"values add up to {beyond}, which does not fit {out.dtype}: ask for another dtype"
        )
    with np.errstate(all="ignore"):  # of float16: infinite, as with other floats
        out[...] = sums


def _fits(found, ends):
    """Whether the numbers from the one to the other lie within the ends."""
    return ends[0] <= found[0] and found[1] <= ends[1]
