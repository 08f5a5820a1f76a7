"""Draws the run lengths of COCO, which go down the columns, and the outlines of the same mask."""

import numpy as np
import squares

import polymask
from ladder.report.charts import drawing

SHAPE = (6, 8)
polygon = [(0.6, 1.2), (6.8, 0.4), (7.2, 3.1), (3.4, 5.8)]
(rle,) = polymask.coco_rle([polygon], SHAPE, center=True, compressed=False)
mask = polymask.coco_to_mask(rle)
rings = [ring for rings in polymask.coco_to_rings(rle) for ring in rings]
lengths = np.array(rle["counts"])
pixels_before = np.cumsum(lengths) - lengths


@drawing.chart
def draw():
    """Return the figure."""
    figure, left, right = squares.panels(
        SHAPE, "coco_rle: down the columns", "coco_to_rings", pixel=32
    )
    for length, before in zip(lengths, pixels_before, strict=True):
        if length:
            col, row = divmod(int(before), SHAPE[0])
            left.text(col + 0.5, row + 0.5, length, ha="center", va="center")
    for axes in (left, right):
        squares.fill(axes, mask)
    squares.outline(left, polygon)
    squares.outline(right, *rings, colour="vermilion")
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
