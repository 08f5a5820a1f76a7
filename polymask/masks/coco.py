"""Run lengths of masks in COCO's format: down the columns, as lists of counts or as short text.

The pixels are those of `polygon_mask`. COCO's own conversion of polygons to run lengths
(`pycocotools.mask.frPyObjects`) draws the outline on a grid five times as fine, and differs along
the edges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polymask import contract
from polymask.geodata.ragged import ragged
from polymask.masks.many import many_of
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
    """Return the masks of polygons as COCO's run lengths, which pycocotools reads.

    Parameters
    ----------
    polygons, shape, order, border_value, center, offset, watertight, all_touched,
    threads
        As for `polygon_masks`. COCO's coordinates are those of pixels' edges: `center=True`.
    compressed : bool
        Return counts as COCO's text instead of lists of integers.

    Returns
    -------
    list of dict
        For each polygon ``{"size": [rows, cols], "counts": counts}``: valid JSON, and if compressed
        input for `pycocotools.mask.decode`. Counts alternate between pixels outside and inside,
        down the first column, then the second and so on.

    Raises
    ------
    TypeError, ValueError
        If a polygon is bad (the message names it), the shape or an option.

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
    many = many_of(arrays, shape, border_value, center, offset, watertight, all_touched, threads)
    counts = many.coco_texts() if compressed else many.column_counts()
    return [{"size": [rows, cols], "counts": polygon_counts} for polygon_counts in counts]
