"""COCO's run-length encoding (RLE): checks of one mask or many, and their runs and outlines."""

from collections.abc import Mapping

import numpy as np

from polymask import contract
from polymask.common.error_text import quote
from polymask.forms.ragged import Ragged


def check_masks(rle):
    """Convert one mask, or a sequence of masks, in COCO's RLE to the input of `runs`.

    Returns
    -------
    list of tuple
        Counts, rows and columns of each mask: the counts as bytes of text or as an int64 array.
    """
    if isinstance(rle, Mapping):
        return [_check(rle)]
    if isinstance(rle, contract.NOT_SEQUENCES) or not hasattr(rle, "__iter__"):
        raise TypeError(f"rle must be a mapping, or a sequence of mappings, got {quote(rle)}")
    masks = []
    for number, mask in enumerate(rle):
        try:
            masks.append(_check(mask))
        except (TypeError, ValueError) as error:
            raise type(error)(f"mask {number}: {error}") from None
    return masks


def _check(rle):
    """Convert one mask to a tuple of counts, rows and columns."""
    if not isinstance(rle, Mapping) or not {"size", "counts"} <= rle.keys():
        raise TypeError(f"COCO's RLE must be a mapping with 'size' and 'counts', got {quote(rle)}")
    rows, cols = contract.check_shape(rle["size"], name="size")
    counts = rle["counts"]
    if isinstance(counts, str):
        if not counts.isascii():
            raise ValueError(f"counts are not COCO's text, got {quote(counts)}")
        counts = counts.encode()
    if isinstance(counts, bytes):
        return counts, rows, cols
    try:
        array = np.asarray(counts)
    except (TypeError, ValueError):
        array = None
    if array is None or array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise TypeError(f"counts must be text or a list of integers, got {quote(counts)}")
    if array.dtype == np.uint64 and (array >= 2**63).any():
        raise ValueError("counts contain an integer beyond 63 bits")
    return contract.as_contiguous(array, np.int64), rows, cols


def runs(masks):
    """Return the runs along the rows: a (3, M) array of rows, starts and stops, and offsets.

    The offsets are those of the masks. Runs are sorted by row and start.
    """
    from polymask.forms import _rle  # the engine

    return _rle.runs(masks)


def outlines(masks):
    """Return the outlines of masks, one feature per mask, as a Ragged.

    Corners are integers: `center=True` restores the masks.
    """
    from polymask.forms import _rle  # the engine

    return Ragged(*_rle.outlines(masks))
