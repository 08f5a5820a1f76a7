"""Run lengths of masks in COCO's format: down the columns, as lists of counts or compressed text.

`coco_rle` computes them from polygons, with the pixels of `polygon_mask`. COCO's own conversion of
polygons to run lengths (`pycocotools.mask.frPyObjects`) draws the outline on a grid that is five
times finer, so its result differs along the edges. The other functions read run lengths.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from polymask import contract
from polymask.forms import rle as run_lengths
from polymask.masks import _many
from polymask.masks.outlines import Outlines, to_lists
from polymask.masks.output import check_dtype, check_out, check_size
from polymask.masks.view import view_of, with_options

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from polymask.hints import DType, Flag, OnInvalid, Options, Pair, Polygons, Rle


@with_options()
def coco_rle(
    polygons: Polygons,
    shape: Pair | None = None,
    *,
    compressed: Flag = True,
    on_invalid: OnInvalid = "raise",
    **options: Unpack[Options],
) -> list[dict[str, Any]]:
    """Return the masks of polygons in COCO's run-length encoding, which pycocotools reads.

    Parameters
    ----------
    polygons, shape, on_invalid
        As for `polygon_masks`.
    order, border_value, center, offset, watertight, all_touched, threads, transform
        As for `polygon_mask`. In COCO's coordinates, integers are edges of pixels: use
        `center=True`. With `transform`, rows must run from north to south.
    compressed : bool
        Whether to return counts as COCO's compressed text instead of as lists of integers.

    Returns
    -------
    list of dict
        One ``{"size": [rows, cols], "counts": counts}`` per polygon, which can be written as JSON
        and, if compressed, passed to `pycocotools.mask.decode`. Counts alternate between pixels
        outside and inside, down the first column, then the second, and so on.

    Raises
    ------
    TypeError, ValueError
        If a polygon (the message names it), the shape or an option is invalid.

    Examples
    --------
    >>> import polymask
    >>> triangle = [(0.2, 0.2), (3.7, 0.2), (0.2, 3.7)]
    >>> polymask.coco_rle([triangle], (3, 5), center=True, compressed=False)
    [{'size': [3, 5], 'counts': [0, 5, 1, 1, 8]}]
    >>> polymask.coco_rle([triangle], (3, 5), center=True)
    [{'size': [3, 5], 'counts': '051L7'}]
    """
    compressed = contract.check_flag(compressed, "compressed")
    view = view_of(polygons, shape, **options)
    view.refuse_turned("coco_rle")
    rows, cols = view.shape
    many = view.many(view.ragged(polygons, on_invalid))
    counts = many.coco_texts() if compressed else many.column_counts()
    return [{"size": [rows, cols], "counts": polygon_counts} for polygon_counts in counts]


def coco_to_mask(
    rle: Rle | Iterable[Rle], *, out: NDArray[Any] | None = None, dtype: DType = None
) -> NDArray[Any]:
    """Return the mask of COCO's run-length encoding, or a stack of masks.

    Parameters
    ----------
    rle : mapping, or sequence of mapping
        One mask ``{"size": [rows, cols], "counts": counts}``, or many of the same size. Counts are
        a list or array of integers, or compressed text (str or bytes), as from `coco_rle`,
        pycocotools or a file of annotations.
    out, dtype
        As for `polygon_mask`; `out` has the shape of the result.

    Returns
    -------
    ndarray, shape (rows, cols), or (N, rows, cols) for a sequence, bool or uint8
        The array `out`, if given.

    Raises
    ------
    TypeError, ValueError
        If a mask is invalid, or its counts do not add up to its size (the message names the mask
        of a sequence), or if sizes differ, or `out` or `dtype` is invalid. Nothing is written then.

    Examples
    --------
    >>> import polymask
    >>> polymask.coco_to_mask({"size": [3, 5], "counts": "051L7"}, dtype="uint8")
    array([[1, 1, 1, 0, 0],
           [1, 1, 0, 0, 0],
           [1, 0, 0, 0, 0]], dtype=uint8)
    """
    masks = run_lengths.check_masks(rle)
    if not masks:
        raise ValueError("rle is an empty sequence, which does not determine a shape")
    (_, *size), *others = masks
    for number, (_, *other) in enumerate(others, start=1):
        if other != size:
            raise ValueError(f"mask {number} has the size {other}, but mask 0 {size}")
    shape = tuple(size) if isinstance(rle, Mapping) else (len(masks), *size)
    dtype = check_dtype(dtype, out)
    if out is None:
        check_size(shape, dtype)
    else:
        check_out(out, shape, dtype)
    (row, start, stop), offsets = run_lengths.runs(masks)
    if out is None:
        out = np.zeros(shape, dtype)
    else:
        out[...] = 0
    stack = out.view(np.uint8).reshape(len(masks), *size) if out.ndim == 2 else out.view(np.uint8)
    if row.size and stack.flags.c_contiguous:
        row += np.repeat(np.arange(len(masks)) * size[0], np.diff(offsets))
        _many.paint(row, start, stop, stack.reshape(-1, size[1]))
    elif row.size:
        for image, first, end in zip(stack, offsets[:-1], offsets[1:], strict=True):
            _many.paint(row[first:end], start[first:end], stop[first:end], image)
    return out


@overload
def coco_to_rings(rle: Rle) -> Outlines: ...
@overload
def coco_to_rings(rle: Iterable[Rle]) -> list[Outlines]: ...
def coco_to_rings(rle):
    """Return the outlines of masks in COCO's run-length encoding: polygons with holes.

    ``polygon_mask(coco_to_rings(rle), rle["size"], center=True)`` equals the mask. Memory depends
    on the object's bounding box, not on the size of the image.

    Parameters
    ----------
    rle : mapping, or sequence of mapping
        As for `coco_to_mask`; sizes may differ.

    Returns
    -------
    Outlines, or list of Outlines
        For each mask, a list of polygons as from `mask_to_rings`. `label_mask` and similar
        functions accept a list of them.

    Raises
    ------
    TypeError, ValueError, RuntimeError
        As from `coco_to_mask` and `mask_to_rings`.

    Examples
    --------
    >>> import polymask
    >>> rings = polymask.coco_to_rings({"size": [3, 5], "counts": [0, 5, 1, 1, 8]})
    >>> [ring.astype(int).tolist() for polygon in rings for ring in polygon]
    [[[0, 0], [3, 0], [3, 1], [2, 1], [2, 2], [1, 2], [1, 3], [0, 3]]]
    """
    arrays = run_lengths.outlines(run_lengths.check_masks(rle))
    polygons = to_lists(arrays)
    if isinstance(rle, Mapping):
        return polygons
    return [Outlines(polygons[start:end]) for start, end in pairwise(arrays.feature_offsets)]
