"""The public function for label images in the memory of a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polymask import contract
from polymask.cuda import device_polygons, tiles
from polymask.cuda.cupy_library import with_device
from polymask.cuda.device_arrays import as_out, on, result_array
from polymask.forms import feature_values
from polymask.masks.labels import check_on_top
from polymask.masks.sampling import NO_OFFSET, check_sampling

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import SupportsIndex

    from polymask.hints import DType, Flag, OnTop, Order, Pair, Polygons

RANK = np.dtype(np.int32)  # of a feature among those that overlap it; 0 outside all features


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
        near = on_top == "smallest"
        features = device_polygons.of_polygons(polygons, order, check, near=near)
        numbered = labels is None and on_top == "last"
        labels = feature_values.check_labels(labels, polygons, features.count)
        dtype = feature_values.check_label_dtype(
            getattr(array, "dtype", None) if dtype is None else dtype, labels
        )
        array = result_array(array, shape, dtype)
        if array.size and numbered and dtype.itemsize == RANK.itemsize:
            tiles.paint(features, shape, sampling, _ranks(features), array.view(RANK))
        elif array.size:
            _paint(features, shape, sampling, labels.astype(dtype), on_top, array)
    return array if out is None else out


def _paint(features, shape, sampling, labels, on_top, out):
    """Paint ranks, and look up the label of each."""
    cupy = with_device()
    image, ranks, labels = cupy.empty(shape, RANK), _ranks(features), cupy.asarray(labels)
    if on_top == "smallest":
        keys = cupy.stack([ranks.astype(np.float64), -device_polygons.areas(features)])
        order = cupy.lexsort(keys)  # the largest first, of equal areas the first
        labels, ranks[order] = labels[order], ranks.copy()
    elif on_top == "first":
        labels, ranks = labels[::-1], cupy.ascontiguousarray(ranks[::-1])
    tiles.paint(features, shape, sampling, ranks, image)
    table = cupy.concatenate([cupy.zeros(1, labels.dtype), labels])
    out[...] = table[image]


def _ranks(features):
    """Return the ranks 1, 2, 3, ... of features, the last one on top."""
    return with_device().arange(1, features.count + 1, dtype=RANK)
