"""Run lengths of masks in COCO's format: down the columns, as lists of counts or compressed text.

The pixels are those of `polygon_mask`. COCO's own conversion of polygons to run lengths
(`pycocotools.mask.frPyObjects`) draws the outline on a grid that is five times finer, so its result
differs along the edges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polymask import contract
from polymask.geodata.ragged import ragged
from polymask.masks.many import make_many
from polymask.masks.sampling import NO_OFFSET

if TYPE_CHECKING:
    from typing import SupportsIndex

    from polymask.hints import Flag, Order, Pair, Polygons, Touched


def coco_rle(
    polygons: Polygons,
    shape: Pair,
    *,
    compressed: Flag = True,
    order: Order = "xy",
    border_value: Flag | None = True,
    center: Flag = False,
    offset: Pair = NO_OFFSET,
    watertight: Flag = False,
    all_touched: Touched = False,
    threads: SupportsIndex | None = None,
) -> list[dict[str, Any]]:
    """Return the masks of polygons in COCO's run-length encoding, which pycocotools reads.

    Parameters
    ----------
    polygons, shape, order, border_value, center, offset, watertight, all_touched, threads
        As for `polygon_masks`. In COCO's coordinates, integers are edges of pixels: use
        `center=True`.
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
    rows, cols = shape = contract.check_shape(shape, polygons)
    arrays = ragged(polygons, order)
    many = make_many(arrays, shape, border_value, center, offset, watertight, all_touched, threads)
    counts = many.coco_texts() if compressed else many.column_counts()
    return [{"size": [rows, cols], "counts": polygon_counts} for polygon_counts in counts]
