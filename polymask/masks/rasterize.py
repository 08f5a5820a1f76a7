"""Burning polygons of a map into an image, like `rasterio.features.rasterize`.

Vertices are converted to pixels, never pixels to the map, and pixels are sampled at their centres.
A transform that scales by powers of two from an integer origin converts vertices without rounding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polymask import contract
from polymask.forms.ragged import Ragged
from polymask.maps import georeference
from polymask.masks import _many, burning, labels
from polymask.masks.output import check_out, separate_from
from polymask.masks.sampling import check_sampling

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import SupportsIndex

    from numpy.typing import ArrayLike, NDArray

    from polymask.hints import DType, Flag, Number, OnTop, Pair, Scalar, Shapes, Touched


def rasterize(
    shapes: Shapes,
    out_shape: Pair | None = None,
    *,
    fill: Scalar | None = None,
    out: NDArray[Any] | None = None,
    transform: Iterable[Number] = georeference.IDENTITY,
    default_value: Scalar = 1,
    values: ArrayLike | None = None,
    dtype: DType = None,
    merge_alg: Any = "replace",
    on_top: OnTop = "last",
    border_value: Flag | None = None,
    watertight: Flag = True,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> NDArray[Any]:
    """Burn the values of geometries into an image; overlapping values are replaced or added.

    Away from the edges of the geometries, the result equals that of `rasterio.features.rasterize`.
    For real-valued vertices and `all_touched`, see docs/all_touched.md.

    Parameters
    ----------
    shapes : iterable of (geometry, value) or geometry; GeoSeries, ndarray, ...
        Polygons on the map, in any form that `polymask.ragged.ragged` accepts, or pairs (tuples or
        lists) of a polygon and the value to burn. Other or invalid geometries are an error.
    out_shape : tuple of int, optional
        (rows, cols); if None, the shape of `out`.
    fill : number, optional
        The value outside all geometries; if None, 0. It cannot be combined with `out`.
    out : ndarray, optional
        Array to burn into, with the layout that `polygon_mask` requires. Pixels outside all
        geometries are not changed.
    transform : sequence of six numbers, or affine.Affine
        (a, b, c, d, e, f) from pixels to the map: x = a column + b row + c, y = d column + e row +
        f. That is rasterio's order, not GDAL's. The first pixel extends from 0 to 1.
    default_value : number
        The value of a geometry without one.
    values : array_like, shape (N,), optional
        One value per geometry, if `shapes` has none. Columns of pandas, pyarrow and polars are read
        exactly. A missing value in them is an error, but NaN is an ordinary value. A column of
        pandas must have the index of a GeoSeries.
    dtype : dtype, optional
        An integer, float or bool dtype that holds all integers exactly. If None, it is that of
        `out`, or otherwise the first of uint8, uint16, int16, uint32, int32, int64 and uint64 that
        holds `fill` and all values, or float64 if they are not all integers. With "add", it holds
        the sum of `fill` and all values.
    merge_alg : {"replace", "add"}, or rasterio.enums.MergeAlg
        How overlaps are treated: the value on top replaces the others, or all values are added to
        `fill` or `out`, in order. Sums of integers are exact: a sum that does not fit `dtype` is an
        error, whereas GDAL saturates or rounds it. If the sum of all values does not fit `dtype`,
        the check needs eight more bytes per pixel, or up to 28 for a float dtype. If it does not
        fit 64 bits, the call is refused, because all geometries might overlap. Sums of floats may
        be rounded. float16 is then summed in float32, from `fill` and values that are rounded to
        float16.
    on_top : {"last", "first", "smallest"}
        Which of several overlapping geometries is on top, as for `label_mask`. Areas are in pixels.
    border_value, watertight, all_touched, threads
        As for `polygon_mask`, but with other defaults, so that polygons that tile the map tile the
        pixels: each sample is in exactly one. See Notes.

    Returns
    -------
    ndarray, shape (rows, cols)
        The array `out`, if given.

    Raises
    ------
    TypeError, ValueError
        If a geometry or value (the message names it) or an option is invalid. Nothing is written
        then.

    Notes
    -----
    A sample exactly on an edge is in the polygon to the west of it, or to the north of an edge
    along a row. Thus the east and the south side of a rectangle are inside, whether rows run north
    or south, and columns east or west. With steps such as 0.1, rounding may put a side on sample
    coordinates on either side of the samples. The identity and its translations are transforms of
    images with y downwards, where the right and the bottom side are inside, as for `polygon_mask`,
    and so are they if the transform rotates. Reference systems are ignored: convert geometries with
    geopandas first.

    In a row whose samples are exactly at 90 or -90 degrees, a side there is inside, too. Units are
    taken to be degrees if all rows of samples lie within -90 to 90, and all columns within -360 to
    360.

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
        raise ValueError("out_shape or out is required")
    if out is not None and fill is not None:
        raise ValueError("fill cannot be combined with out, which keeps pixels outside geometries")
    if out is not None and not isinstance(out, np.ndarray):
        check_out(out, out_shape, dtype)  # raises its error
    shape = out.shape if out_shape is None else out_shape
    shape = contract.check_shape(shape, shapes, "out_shape")
    fill = 0 if fill is None else contract.check_number(fill, "fill")
    transform, turn = georeference.affine(transform).north_up(shape, is_map=False)
    polygons, values = burning.place_on_grid(
        shapes, values, default_value, transform, shape, center=True
    )
    if dtype is None:
        dtype = burning.smallest_dtype(values, fill, adds) if out is None else out.dtype
    adds = adds and values.dtype.kind
    values = burning.cast(values, dtype, "value {} of geometry {}")
    options = {"border_value": border_value, "watertight": watertight, "threads": threads}
    sampling = check_sampling(shape, center=True, all_touched=all_touched, **options)
    if out is None:
        image = burning.burn(polygons, values, shape, fill, sampling, adds, on_top)
        return georeference.turned(image, turn)
    check_out(out, shape, values.dtype)
    polygons = Ragged(*separate_from(out, polygons))
    many = _many.Many(polygons, shape, sampling)
    image = georeference.turned(np.asarray(out), turn)  # also for a subclass of ndarray
    if adds:
        burning.add(many, values, image, (image.min(initial=0), image.max(initial=0)), adds)
    else:
        labels.paint(many, values, image, on_top, keeps=True)
    if turn != georeference.AS_IT_IS:
        out[...] = image[turn]
    return out
