"""Polygons of a map burnt into an image, in the manner of `rasterio.features.rasterize`.

Vertices are taken into pixels, never pixels onto the map, and sampled at the pixels' centres. A
transform that scales by powers of two from a whole origin moves them without rounding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from polymask import contract
from polymask.geodata import georeference
from polymask.geodata.ragged import Ragged
from polymask.masks import _many, burning, labels
from polymask.masks.output import apart_from, check_out
from polymask.masks.sampling import NO_OFFSET, check_sampling

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from polymask.hints import (
        BurnOptions,
        DType,
        Generic,
        Pair,
        Scalar,
        Shapes,
    )


IDENTITY = 1, 0, 0, 0, 1, 0


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
    adds, on_top = burning.check_overlaps(merge_alg, on_top)
    if out_shape is None and out is None:
        raise ValueError("one of out_shape and out is needed")
    if out is not None and fill is not None:
        raise ValueError("fill makes no sense with out, which keeps what no geometry covers")
    if out is not None and not isinstance(out, np.ndarray):
        check_out(out, out_shape, dtype)  # refuses it in its words
    shape = out.shape if out_shape is None else out_shape
    shape = contract.check_shape(shape, shapes, "out_shape")
    fill = 0 if fill is None else contract.check_number(fill, "fill")
    transform = georeference.affine(transform)
    found, values = burning.on_grid(shapes, values, default_value, transform, to_crs)
    if dtype is None:
        dtype = burning.smallest_dtype(values, fill, adds) if out is None else out.dtype
    values = burning.cast(values, dtype, "value {} of geometry {}")
    how = border_value, True, NO_OFFSET, watertight, all_touched, threads
    sampling = check_sampling(shape, *how)
    if out is None:
        return burning.burn(found, values, shape, fill, sampling, adds, on_top)
    check_out(out, shape, values.dtype)
    found = Ragged(*apart_from(out, found))
    many = _many.Many(found, shape, sampling)
    if adds:
        image = np.asarray(out)  # whatever kind of array it is
        burning.add(many, values, image, (image.min(initial=0), image.max(initial=0)))
    else:
        labels.paint(many, values, out, on_top, keeps=True)
    return out
