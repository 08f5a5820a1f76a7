"""The public function for label images in the memory of a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polymask.common.twins import twin_of
from polymask.cuda import device_polygons, tiles
from polymask.cuda.cupy_library import with_device
from polymask.cuda.device_arrays import as_out, on, result_array, upright
from polymask.cuda.device_masks import HOST_ONLY
from polymask.forms import feature_values
from polymask.masks import labels as host_labels
from polymask.masks.view import refuse_options, view_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import SupportsIndex

    from polymask.hints import DType, Flag, OnInvalid, OnTop, Pair, Polygons

RANK = np.dtype(np.int32)  # of a feature among those that overlap it; 0 outside all features


@twin_of(host_labels.label_mask, without=(*HOST_ONLY, "progress"))
def label_mask(
    polygons: Polygons,
    shape: Pair | None = None,
    *,
    labels: Iterable[SupportsIndex] | None = None,
    out: Any = None,
    dtype: DType = None,
    on_top: OnTop = "last",
    on_invalid: OnInvalid = "raise",
    stream: Any = None,
    check: Flag = True,
    **options: Any,
) -> Any:
    """Return a label image, with one label per polygon, in the memory of the current GPU.

    Parameters
    ----------
    polygons : sequence, ndarray, GeoSeries, mapping, or tuple of arrays
        As for `polymask.label_mask`, or ragged arrays on the device, which exclude `transform` and
        `on_invalid`.
    labels : sequence of int, optional
        One label per polygon, in the host's memory; if None, 1, 2, 3, ...
    out : device array, optional
        Integer array of that shape to write to, as for `polygon_mask`. Pixels outside all polygons
        become 0.
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
    refuse_options(options, HOST_ONLY)
    host_labels.check_on_top(on_top)
    view = view_of(polygons, shape, **options)
    with on(stream):
        array = as_out(out)
        near = on_top == "smallest"
        features = device_polygons.of_polygons(polygons, view, check, on_invalid, near=near)
        numbered = labels is None and on_top == "last"
        dtype = getattr(array, "dtype", None) if dtype is None else dtype
        labels = feature_values.labels_of(labels, polygons, features.count, dtype)
        array = result_array(array, view.shape, labels.dtype)
        image = upright(array, view)
        if array.size and numbered and labels.itemsize == RANK.itemsize:
            tiles.paint(features, view.shape, view.sampling, _ranks(features), image.view(RANK))
        elif array.size:
            _paint(features, view, labels, on_top, image)
        array = view.turned(image, array)
    return array if out is None else out


def _paint(features, view, labels, on_top, out):
    """Paint ranks, and look up the label of each."""
    cupy = with_device()
    image, ranks, labels = cupy.empty(view.shape, RANK), _ranks(features), cupy.asarray(labels)
    if on_top == "smallest":
        keys = cupy.stack([ranks.astype(np.float64), -device_polygons.areas(features)])
        order = cupy.lexsort(keys)  # the largest first, of equal areas the first
        labels, ranks[order] = labels[order], ranks.copy()
    elif on_top == "first":
        labels, ranks = labels[::-1], cupy.ascontiguousarray(ranks[::-1])
    tiles.paint(features, view.shape, view.sampling, ranks, image)
    table = cupy.concatenate([cupy.zeros(1, labels.dtype), labels])
    out[...] = table[image]


def _ranks(features):
    """Return the ranks 1, 2, 3, ... of features, the last one on top."""
    return with_device().arange(1, features.count + 1, dtype=RANK)
