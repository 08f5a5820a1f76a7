"""Draws which pixels a polygon touches: by samples, open squares, closed ones.

python docs/pictures/touched_squares.py

The polygon has a side along borders of squares, a vertex on a corner of four, and a needle that
reaches no sample.
"""

from pathlib import Path

import numpy as np

import polymask
from ladder.report.charts import drawing

SHAPE = (8, 10)
POLYGON = np.array([(1, 2), (6, 2), (6, 3.1), (9.6, 3.2), (6, 3.3), (4, 7), (1.6, 5.3)])
MASKS = {  # the heading, and the arguments of the mask
    "samples": {},
    'all_touched="open"': {"all_touched": "open"},
    'all_touched="closed"': {"all_touched": "closed"},
}
SQUARE = 16  # pixels of the picture


def masks():
    """Return the three masks."""
    return {
        name: polymask.polygon_mask(POLYGON, SHAPE, center=True, border_value=False, **options)
        for name, options in MASKS.items()
    }


@drawing.chart
def draw():
    """Return the figure: three times the polygon, on the pixels that it has."""
    from matplotlib.patches import Polygon, Rectangle

    rows, cols = SHAPE
    wide, high = (cols + 1) * SQUARE, (rows + 3) * SQUARE
    figure = drawing.figure(wide * len(MASKS) + SQUARE, high)
    axes = drawing.axes(figure, SQUARE, 0, 2.2 * SQUARE, 0.8 * SQUARE)
    axes.set(xlim=(0, (cols + 1) * len(MASKS)), ylim=(rows, 0))
    axes.axis("off")
    for number, (name, mask) in enumerate(masks().items()):
        left = (cols + 1) * number
        axes.text(left, -0.25, f"{name}\n{mask.sum()} pixels")
        for row, col in np.ndindex(SHAPE):
            colour = (drawing.LIGHT["blue"], 0.5) if mask[row, col] else "none"
            axes.add_patch(
                Rectangle(
                    (left + col, row), 1, 1, facecolor=colour, edgecolor=drawing.LIGHT["grid"]
                )
            )
        outline = {"fill": False, "edgecolor": drawing.LIGHT["ink"], "linewidth": 1.5}
        axes.add_patch(Polygon(POLYGON + (left, 0), **outline))
        if name == "samples":
            x, y = np.meshgrid(np.arange(cols) + left + 0.5, np.arange(rows) + 0.5)
            axes.plot(x.ravel(), y.ravel(), ".", color=drawing.LIGHT["soft"], markersize=2.5)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
