"""Draws the masks of one square of integers: by points, by centres, by coverage, by touch.

python docs/pictures/pixel_convention.py
"""

from pathlib import Path

import numpy as np

import polymask
from ladder.report.charts import drawing

SQUARE = [(0, 0), (3, 0), (3, 3), (0, 3)]
SHAPE = (5, 5)
PIXEL = 28  # pixels of the picture
GRIDS = {  # a name, the mask, and the place of a pixel's sample
    "points, the default": (polymask.polygon_mask(SQUARE, SHAPE), 0),
    "center=True": (polymask.polygon_mask(SQUARE, SHAPE, center=True), 0.5),
    "coverage": (polymask.coverage(SQUARE, SHAPE), 0),
    "all_touched=True": (
        polymask.polygon_mask(SQUARE, SHAPE, all_touched=True),
        0,
    ),
}


@drawing.chart
def draw():
    """Return the figure: the square on the pixels of each mask, two by two."""
    from matplotlib.patches import Polygon, Rectangle

    rows, cols = SHAPE
    wide, high = cols + 2.2, rows + 1.7
    figure = drawing.figure(2 * wide * PIXEL, 2 * high * PIXEL)
    axes = drawing.axes(figure, 0, 0, 0, 0)
    axes.set(xlim=(-1, 2 * wide - 1), ylim=(2 * high - 1.7, -1.7))
    axes.axis("off")
    for number, (name, (weights, sample)) in enumerate(GRIDS.items()):
        corner = np.array([number % 2 * wide, number // 2 * high])
        axes.text(*(corner - (0.5, 0.8)), name)
        for row, col in np.ndindex(SHAPE):
            weight = float(weights[row, col])
            at = corner + (col, row)
            square = {
                "facecolor": (drawing.LIGHT["blue"], weight / 2),
                "edgecolor": drawing.LIGHT["grid"],
            }
            axes.add_patch(Rectangle(at + (sample - 0.5), 1, 1, **square))
            if 0 < weight < 1:  # the sides run through these pixels: write outside
                is_level = row in (0, 3)
                place = at + np.sign([col - 1.5, row - 1.5]) / 4 * (not is_level, is_level)
                axes.text(*place, f"{weight:g}", ha="center", va="center", fontsize=11)
            elif "points" in name or sample:
                axes.plot(*(at + sample), ".", color=drawing.LIGHT["soft"], markersize=4)
        outline = {"fill": False, "edgecolor": drawing.LIGHT["ink"], "linewidth": 1.5}
        axes.add_patch(Polygon(SQUARE + corner, **outline))
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
