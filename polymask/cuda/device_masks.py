"""The public functions for masks in the memory of a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polymask import contract
from polymask.common.twins import twin_of
from polymask.cuda import device_polygons, tiles
from polymask.cuda.device_arrays import as_out, on, result_array, upright
from polymask.masks import mask_stack, pixel_sums
from polymask.masks import polygon as host_polygon
from polymask.masks.output import check_dtype
from polymask.masks.view import refuse_options, view_of

if TYPE_CHECKING:
    from polymask.hints import DType, Flag, OnInvalid, Pair, Polygon, Polygons

HOST_ONLY = "all_touched", "threads"


@twin_of(host_polygon.polygon_mask, without=HOST_ONLY)
def polygon_mask(
    polygon: Polygon,
    shape: Pair | None = None,
    *,
    out: Any = None,
    dtype: DType = None,
    packed: Flag = False,
    stream: Any = None,
    check: Flag = True,
    **options: Any,
) -> Any:
    """Return the mask of a polygon on an image, in the memory of the current GPU.

    Parameters
    ----------
    polygon : array_like, sequence of array_like, mapping, object, or device array
        As for `polymask.polygon_mask`, or an (N, 2) array of vertices on the device, which excludes
        `transform`.
    out : device array, optional
        Array of that shape, uint8 or bool, to write the mask to: C-contiguous, or a view with
        contiguous rows.
    stream : stream or int, optional
        A stream of CuPy, PyTorch, Numba or cuda.core, or its address. If None, CuPy's current one.
    check : bool
        Whether to check vertices and offsets that lie on the device, which waits for the device. If
        False, they must be valid: offsets that are not read memory of others.

    Returns
    -------
    cupy.ndarray, shape (rows, cols), bool or uint8
        If packed, shape (rows, (cols + 7) // 8), uint8. The array `out`, if given.

    Raises
    ------
    TypeError, ValueError
        If the polygon, the shape, `out` or an option is invalid. Nothing is written then.
    MemoryError
        If the device has no room for the mask.
    polymask.common.errors.Unavailable
        If there is no GPU, or CuPy is missing, or this process was forked from one that used it.

    Examples
    --------
    >>> from polymask import cuda
    >>> cuda.polygon_mask([(1, 1), (6, 1), (3, 4)], (5, 8), dtype="uint8")
    array([[0, 0, 0, 0, 0, 0, 0, 0],
           [0, 1, 0, 0, 0, 0, 1, 0],
           [0, 0, 1, 1, 1, 1, 0, 0],
           [0, 0, 0, 1, 1, 0, 0, 0],
           [0, 0, 0, 1, 0, 0, 0, 0]], dtype=uint8)
    """
    packed = contract.check_flag(packed, "packed")
    refuse_options(options, HOST_ONLY)
    view = view_of(polygon, shape, **options)
    if packed:
        view.refuse_turned("packed")
    rows, cols = view.shape
    with on(stream):
        array = as_out(out)
        dtype = check_dtype(dtype, array, packed)
        polygons = device_polygons.of_polygon(polygon, view, check)
        array = result_array(array, (rows, -(-cols // 8)) if packed else view.shape, dtype)
        image = upright(array, view)
        if array.size:
            name = "draw_bits" if packed else "draw_masks"
            tiles.draw(name, polygons, view.shape, view.sampling, image, windowed=False)
        array = view.turned(image, array)
    return array if out is None else out


@twin_of(mask_stack.polygon_masks, without=HOST_ONLY)
def polygon_masks(
    polygons: Polygons,
    shape: Pair | None = None,
    *,
    out: Any = None,
    dtype: DType = None,
    on_invalid: OnInvalid = "raise",
    stream: Any = None,
    check: Flag = True,
    **options: Any,
) -> Any:
    """Return the masks of many polygons as one stack, in the memory of the current GPU.

    Parameters
    ----------
    polygons : sequence, ndarray, GeoSeries, mapping, or tuple of arrays
        As for `polymask.polygon_masks`, or ragged arrays on the device, which exclude `transform`
        and `on_invalid`.
    out : device array, optional
        Array of the result's shape to write to, as for `polygon_mask`.
    stream, check
        As for `polygon_mask`.

    Returns
    -------
    cupy.ndarray, shape (N, rows, cols), bool or uint8
        One mask for each of N polygons. The array `out`, if given.

    Raises
    ------
    TypeError, ValueError, MemoryError, polymask.common.errors.Unavailable
        As `polygon_mask`; the message names an invalid polygon.

    Examples
    --------
    >>> from polymask import cuda
    >>> square = [(1.5, -0.5), (3.5, -0.5), (3.5, 1.5), (1.5, 1.5)]
    >>> cuda.polygon_masks([square], (3, 4), dtype="uint8")
    array([[[0, 0, 1, 1],
            [0, 0, 1, 1],
            [0, 0, 0, 0]]], dtype=uint8)
    """
    refuse_options(options, HOST_ONLY)
    view = view_of(polygons, shape, **options)
    with on(stream):
        array = as_out(out)
        dtype = check_dtype(dtype, array)
        features = device_polygons.of_polygons(polygons, view, check, on_invalid)
        array = result_array(array, (features.count, *view.shape), dtype)
        image = upright(array, view)
        if array.size:
            tiles.draw("draw_masks", features, view.shape, view.sampling, image, windowed=True)
        array = view.turned(image, array)
    return array if out is None else out


@twin_of(pixel_sums.pixel_counts, without=HOST_ONLY)
def pixel_counts(
    polygons: Polygons,
    shape: Pair | None = None,
    *,
    on_invalid: OnInvalid = "raise",
    stream: Any = None,
    check: Flag = True,
    **options: Any,
) -> Any:
    """Return the number of pixels of each polygon, in the memory of the current GPU.

    Parameters
    ----------
    polygons : sequence, ndarray, GeoSeries, mapping, or tuple of arrays
        As for `polygon_masks`.
    stream, check
        As for `polygon_mask`.

    Returns
    -------
    cupy.ndarray, shape (N,), int64

    Raises
    ------
    TypeError, ValueError, MemoryError, polymask.common.errors.Unavailable
        As `polygon_mask`; the message names an invalid polygon.

    Examples
    --------
    >>> from polymask import cuda
    >>> square = [(1.5, -0.5), (3.5, -0.5), (3.5, 1.5), (1.5, 1.5)]
    >>> triangle = [(-0.5, -0.5), (2.6, -0.5), (-0.5, 2.6)]
    >>> cuda.pixel_counts([square, triangle], (3, 4))
    array([4, 6])
    """
    refuse_options(options, HOST_ONLY)
    view = view_of(polygons, shape, **options)
    with on(stream):
        features = device_polygons.of_polygons(polygons, view, check, on_invalid)
        return tiles.count(features, view.shape, view.sampling)
