"""The public functions for masks in the memory of a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polymask import contract
from polymask.cuda import device_polygons, tiles
from polymask.cuda.device_arrays import as_out, on, result_array
from polymask.devices.cupy_library import with_device
from polymask.geodata import feature_values, geometry
from polymask.masks.labels import FARTHEST, check_on_top
from polymask.masks.output import check_dtype
from polymask.masks.sampling import NO_OFFSET, check_sampling

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import SupportsIndex

    from polymask.hints import DType, Flag, OnTop, Order, Pair, Polygon, Polygons

RANK = np.dtype(np.int32)  # of a feature among those that overlap it; 0 outside all features


def polygon_mask(
    polygon: Polygon,
    shape: Pair,
    *,
    out: Any = None,
    dtype: DType = None,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = NO_OFFSET,
    packed: Flag = False,
    watertight: Flag = False,
    stream: Any = None,
    check: Flag = True,
) -> Any:
    """Return the mask of a polygon on an image, in the memory of the current GPU.

    Parameters
    ----------
    polygon : array_like, sequence of array_like, mapping, object, or device array
        As for `polymask.polygon_mask`, or an (N, 2) array of vertices on the device.
    shape : tuple of int
        (rows, cols).
    out : device array, optional
        Array of that shape, uint8 or bool, to write the mask to: C-contiguous, or a view with
        contiguous rows.
    dtype, order, border_value, center, offset, packed, watertight
        As for `polymask.polygon_mask`.
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
    rows, cols = shape = contract.check_shape(shape)
    packed = contract.check_flag(packed, "packed")
    sampling = check_sampling(shape, border_value, center, offset, watertight)
    with on(stream):
        array = as_out(out)
        dtype = check_dtype(dtype, array, packed)
        polygons = device_polygons.of_polygon(polygon, order, check)
        array = result_array(array, (rows, -(-cols // 8)) if packed else shape, dtype)
        if array.size:
            name = "draw_bits" if packed else "draw_masks"
            tiles.draw(name, polygons, shape, sampling, array, windowed=False)
    return array if out is None else out


def polygon_masks(
    polygons: Polygons,
    shape: Pair,
    *,
    out: Any = None,
    dtype: DType = None,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = NO_OFFSET,
    watertight: Flag = False,
    stream: Any = None,
    check: Flag = True,
) -> Any:
    """Return the masks of many polygons as one stack, in the memory of the current GPU.

    Parameters
    ----------
    polygons : sequence, ndarray, GeoSeries, mapping, or tuple of arrays
        As for `polymask.polygon_masks`, or ragged arrays on the device.
    shape : tuple of int
        (rows, cols) of the image.
    out : device array, optional
        Array of the result's shape to write to, as for `polygon_mask`.
    dtype, order, border_value, center, offset, watertight
        As for `polymask.polygon_masks`.
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
    shape = contract.check_shape(shape)
    sampling = check_sampling(shape, border_value, center, offset, watertight)
    with on(stream):
        array = as_out(out)
        dtype = check_dtype(dtype, array)
        features = device_polygons.of_polygons(polygons, order, check)
        array = result_array(array, (features.count, *shape), dtype)
        if array.size:
            tiles.draw("draw_masks", features, shape, sampling, array, windowed=True)
    return array if out is None else out


def label_mask(
    polygons: Polygons,
    shape: Pair,
    *,
    labels: Iterable[SupportsIndex] | None = None,
    out: Any = None,
    dtype: DType = None,
    on_top: OnTop = "last",
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = NO_OFFSET,
    watertight: Flag = False,
    stream: Any = None,
    check: Flag = True,
) -> Any:
    """Return a label image, with one label per polygon, in the memory of the current GPU.

    Parameters
    ----------
    polygons : sequence, ndarray, GeoSeries, mapping, or tuple of arrays
        As for `polymask.label_mask`, or ragged arrays on the device.
    shape : tuple of int
        (rows, cols).
    labels : sequence of int, optional
        One label per polygon, in the host's memory; if None, 1, 2, 3, ...
    out : device array, optional
        Integer array of that shape to write to, as for `polygon_mask`. Pixels outside all polygons
        become 0.
    dtype, on_top, order, border_value, center, offset, watertight
        As for `polymask.label_mask`.
    stream, check
        As for `polygon_mask`.

    Returns
    -------
    cupy.ndarray, shape (rows, cols), integer
        0 outside all polygons. The array `out`, if given.

    Raises
    ------
    TypeError, ValueError, MemoryError, polymask.common.errors.Unavailable
        As `polygon_mask`; the message names an invalid polygon or label.

    Notes
    -----
    Threads paint in no particular order. Each pixel keeps the largest rank of its polygons by an
    atomic maximum, and labels are looked up afterwards: the image is the same in every run. If
    labels are 1, 2, 3, ..., of 4 bytes, with the last polygon on top, the ranks are the labels.

    Examples
    --------
    >>> from polymask import cuda
    >>> triangle = [(-0.5, -0.5), (5.5, -0.5), (-0.5, 5.5)]
    >>> square = [(1.5, 0.5), (4.5, 0.5), (4.5, 2.5), (1.5, 2.5)]
    >>> cuda.label_mask([triangle, square], (4, 6), labels=[1, 7])
    array([[1, 1, 1, 1, 1, 1],
           [1, 1, 7, 7, 7, 0],
           [1, 1, 7, 7, 7, 0],
           [1, 1, 1, 0, 0, 0]], dtype=uint8)
    """
    shape = contract.check_shape(shape)
    sampling = check_sampling(shape, border_value, center, offset, watertight)
    check_on_top(on_top)
    with on(stream):
        array = as_out(out)
        features = device_polygons.of_polygons(polygons, order, check)
        numbered = labels is None and on_top == "last"
        labels = feature_values.check_labels(labels, features.count)
        dtype = feature_values.check_label_dtype(
            getattr(array, "dtype", None) if dtype is None else dtype, labels
        )
        array = result_array(array, shape, dtype)
        if array.size and numbered and dtype.itemsize == RANK.itemsize:
            array[...] = 0
            tiles.paint(features, shape, sampling, (1, 1), array.view(RANK))
        elif array.size:
            _paint(features, shape, sampling, labels.astype(dtype), on_top, array)
    return array if out is None else out


def _paint(features, shape, sampling, labels, on_top, out):
    """Paint ranks, and look up the label of each."""
    cupy, count = with_device(), features.count
    image = cupy.zeros(shape, RANK)
    labels = cupy.asarray(labels)
    if on_top == "smallest":
        _check_near(features)
        keys = cupy.stack([cupy.arange(count, dtype=np.float64), -device_polygons.areas(features)])
        order = cupy.lexsort(keys)  # the largest first, of equal areas the first
        ranks, labels = cupy.empty(count, RANK), labels[order]
        ranks[order] = cupy.arange(1, count + 1, dtype=RANK)
    elif on_top == "first":
        ranks, labels = (count, -1), labels[::-1]
    else:
        ranks = (1, 1)
    tiles.paint(features, shape, sampling, ranks, image)
    table = cupy.concatenate([cupy.zeros(1, labels.dtype), labels])
    out[...] = table[image]


def _check_near(features):
    """Refuse vertices whose areas would overflow, in a message that names the vertex."""
    vertices = features.source.vertices
    if len(vertices) and float(abs(vertices).max()) > 2.0**FARTHEST:
        geometry.check_near(vertices.get(), FARTHEST, "areas would overflow")


def pixel_counts(
    polygons: Polygons,
    shape: Pair,
    *,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = NO_OFFSET,
    watertight: Flag = False,
    stream: Any = None,
    check: Flag = True,
) -> Any:
    """Return the number of pixels of each polygon, in the memory of the current GPU.

    Parameters
    ----------
    polygons, shape, order, border_value, center, offset, watertight
        As for `polymask.pixel_counts`; ragged arrays may lie on the device.
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
    shape = contract.check_shape(shape)
    sampling = check_sampling(shape, border_value, center, offset, watertight)
    with on(stream):
        features = device_polygons.of_polygons(polygons, order, check)
        return tiles.count(features, shape, sampling)
