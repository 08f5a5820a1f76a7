"""Separate masks of many polygons: a stack of whole masks, or masks cropped to their windows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polymask.forms.ragged import Ragged
from polymask.maps.georeference import AS_IT_IS
from polymask.masks import _many
from polymask.masks.output import check_dtype, check_out, check_size, separate_from
from polymask.masks.view import view_of, with_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from polymask.hints import DType, OnInvalid, Options, Pair, Polygons

BATCH = 4 << 20  # bytes of cropped masks that are computed together


@with_options()
def polygon_masks(
    polygons: Polygons,
    shape: Pair | None = None,
    *,
    out: NDArray[Any] | None = None,
    dtype: DType = None,
    on_invalid: OnInvalid = "raise",
    **options: Unpack[Options],
) -> NDArray[Any]:
    """Return the masks of many polygons as one stack.

    For many polygons on a large image, use `polygon_crops`. It needs memory for only a few masks at
    a time, each as large as its polygon.

    Parameters
    ----------
    polygons : sequence, ndarray, GeoSeries, mapping, or tuple of ndarray
        A set of polygons in any form that `polymask.ragged.ragged` accepts: arrays, lists of rings,
        shapely geometries, ragged arrays.
    shape : tuple of int
        (rows, cols) of the image.
    out, dtype
        As for `polygon_mask`; `out` has the shape of the result.
    order, border_value, center, offset, watertight, all_touched, threads, transform
        As for `polygon_mask`.
    on_invalid : {"raise", "skip"}
        Whether an invalid polygon is an error, or becomes an empty one, which keeps its number. A
        UserWarning then names those that were left out, and points and lines among them.

    Returns
    -------
    ndarray, shape (N, rows, cols), bool or uint8
        One mask for each of N polygons. The array `out`, if given.

    Raises
    ------
    TypeError, ValueError
        If a polygon (the message names it), the shape, `out` or an option is invalid. Nothing is
        written then.
    MemoryError
        If the masks do not fit into memory.

    Examples
    --------
    >>> import polymask
    >>> square = [(1.5, -0.5), (3.5, -0.5), (3.5, 1.5), (1.5, 1.5)]
    >>> triangle = [(-0.5, -0.5), (2.6, -0.5), (-0.5, 2.6)]
    >>> polymask.polygon_masks([square, triangle], (3, 4), dtype="uint8")
    array([[[0, 0, 1, 1],
            [0, 0, 1, 1],
            [0, 0, 0, 0]],
    <BLANKLINE>
           [[1, 1, 1, 0],
            [1, 1, 0, 0],
            [1, 0, 0, 0]]], dtype=uint8)
    """
    dtype = check_dtype(dtype, out)
    view = view_of(polygons, shape, **options)
    arrays = view.ragged(polygons, on_invalid)
    stack_shape = arrays.features, *view.shape
    check_size(stack_shape, dtype)
    if out is not None:
        check_out(out, stack_shape, dtype)
    if view.turn != AS_IT_IS:
        upright = np.zeros(stack_shape, dtype)
        return view.turned(_fill(view.many(arrays), upright, out_is_zero=True), out)
    if out is not None:
        return _fill(view.many(Ragged(*separate_from(out, arrays))), out)
    zeros = np.zeros(stack_shape, dtype)  # pages that stay zero take no time
    return _fill(view.many(arrays), zeros, out_is_zero=True)


def _fill(many, out, *, out_is_zero=False):
    """Write a mask for each polygon, and return the stack."""
    if out.size:
        count, rows, cols = out.shape
        boxes = np.tile(np.array((0, rows, 0, cols), np.int64), (count, 1))
        masks = out if out.flags.c_contiguous else np.empty(out.shape, out.dtype)
        _many.Cropper(many, out_is_zero).fill(0, boxes, masks.reshape(-1).view(np.uint8))
        if masks is not out:
            out[...] = masks
    return out


@with_options()
def polygon_crops(
    polygons: Polygons,
    shape: Pair | None = None,
    *,
    dtype: DType = None,
    on_invalid: OnInvalid = "raise",
    **options: Unpack[Options],
) -> Iterator[tuple[tuple[slice, slice], NDArray[Any]]]:
    """Return an iterator over the polygons' windows of the image and their masks there.

    The cost of a polygon depends on the rows and columns it spans, not on the size of the image.

    Parameters
    ----------
    polygons, shape, on_invalid
        As for `polygon_masks`.
    order, border_value, center, offset, watertight, all_touched, threads, transform
        As for `polygon_mask`.
    dtype : {bool, uint8}, optional
        The dtype of the masks; if None, bool.

    Returns
    -------
    iterator of (window, mask)
        `window` is (slice of rows, slice of columns), the smallest window with all samples inside
        the polygon: ``image[window][mask]`` has the polygon's pixels. `mask` has the window's
        shape. A polygon without a sample in the image has an empty window and a mask of shape
        (0, 0).

    Raises
    ------
    TypeError, ValueError
        If a polygon (the message names it), the shape or an option is invalid. The error is raised
        by the call itself, before the first mask.

    Examples
    --------
    >>> import numpy as np, polymask
    >>> image = np.arange(24).reshape(4, 6)
    >>> triangle = [(2.5, 0.5), (5.6, 0.5), (2.5, 3.6)]
    >>> for window, mask in polymask.polygon_crops([triangle], image.shape):
    ...     print(window, image[window][mask])
    (slice(1, 4, None), slice(3, 6, None)) [ 9 10 11 15 16 21]
    """
    dtype = check_dtype(dtype, None)
    view = view_of(polygons, shape, **options)
    arrays = view.ragged(polygons, on_invalid).copy()  # the arrays are read after this call
    cropper = _many.Cropper(view.many(arrays), True)
    boxes = np.zeros((arrays.features, 4), np.int64)
    cropper.boxes(boxes)
    crops = _crops(cropper, boxes, dtype)
    return crops if view.turn == AS_IT_IS else _turned(crops, view)


def _turned(crops, view):
    """Yield windows and masks of an image whose rows or columns are reversed."""
    is_reversed = [axis.step == -1 for axis in view.turn]
    for window, mask in crops:
        yield (
            tuple(
                slice(size - axis.stop, size - axis.start) if turns else axis
                for axis, size, turns in zip(window, view.shape, is_reversed, strict=True)
            ),
            mask[view.turn].copy(),
        )


def _crops(cropper, boxes, dtype):
    """Yield the window and the mask of each box; masks are computed in batches."""
    sizes = (boxes[:, 1] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 2])
    ends = np.cumsum(np.minimum(sizes, BATCH + 1))  # a larger mask is a batch by itself
    first = 0
    while first < len(boxes):
        limit = BATCH + (int(ends[first - 1]) if first else 0)
        end = max(first + 1, int(np.searchsorted(ends, limit, side="right")))
        masks = np.zeros(sizes[first:end].sum(), np.uint8)
        cropper.fill(first, boxes[first:end], masks)
        masks, start = masks.view(dtype), 0
        for top, bottom, left, right in boxes[first:end].tolist():
            height, width = bottom - top, right - left
            mask = masks[start : start + height * width].reshape(height, width)
            start += height * width
            if end > first + 1:  # a view would keep the memory of all masks of the batch
                mask = mask.copy()
            yield (slice(top, bottom), slice(left, right)), mask
        first = end
