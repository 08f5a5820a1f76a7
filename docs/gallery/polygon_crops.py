"""Draws the masks of two polygons: as a stack of whole images, and each in its own window."""

import numpy as np
import squares

import polymask
from ladder.report.charts import drawing

SHAPE = (8, 8)
polygons = [
    [(0.6, 0.4), (4.3, 1.3), (3.7, 4.4), (1.4, 3.8)],
    [(7.6, 2.2), (6.8, 7.4), (2.3, 6.9), (5.2, 5.3)],
]
stack = polymask.polygon_masks(polygons, SHAPE, center=True)


@drawing.chart
def draw():
    """Return the figure."""
    titles = "polygon_masks: [0]", "polygon_masks: [1]", "polygon_crops"
    figure, *masks, crops = squares.panels(SHAPE, *titles, pixel=21)
    for axes, mask, polygon in zip(masks, stack, polygons, strict=True):
        squares.fill(axes, mask)
        squares.outline(axes, polygon)
    marked = np.zeros(SHAPE, bool)
    for window, mask in polymask.polygon_crops(polygons, SHAPE, center=True):
        marked[window] |= mask
        (top, bottom), (left, right) = ((part.start, part.stop) for part in window)
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        squares.outline(crops, corners, colour="vermilion")
    squares.fill(crops, marked)
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
