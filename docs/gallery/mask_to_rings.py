"""Draws the outlines of a mask with a hole, along the edges of its pixels."""

import numpy as np
import squares

import polymask
from ladder.report.charts import drawing

y, x = np.mgrid[:11, :11] + 0.5
distance = np.hypot(x - 5, y - 5.5)
mask = (distance < 5) & (distance > 1.8) | (x > 9) & (y > 9)
polygons = polymask.mask_to_rings(mask)


@drawing.chart
def draw():
    """Return the figure."""
    figure, axes = squares.panels(mask.shape, "mask_to_rings, a hole in green")
    squares.fill(axes, mask)
    for outer, *holes in polygons:
        squares.outline(axes, outer, colour="vermilion")
        squares.outline(axes, *holes, colour="green")
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
