"""Draw the mask of a star by the even-odd rule, and its winding numbers.

python docs/pictures/star.py

A triangle of the star's first vertex and one of its edges adds 1 to the winding number of the
samples inside if it runs clockwise, and subtracts 1 if not. The masks of the triangles are the
library's.
"""

import itertools
from pathlib import Path

import numpy as np

from ladder.report.charts import drawing
from polymask import polygon_mask

SHAPE = (13, 13)
CORNERS = [(6.0, 0.3), (12.1, 4.7), (9.8, 11.8), (2.2, 11.8), (-0.1, 4.7)]
STAR = np.array([CORNERS[i] for i in (0, 2, 4, 1, 3)])
EDGES = {"border_value": None, "watertight": True}  # the edges alone decide
SQUARE, TOP, GAP = 14, 46, 16  # pixels of the picture


def even_odd():
    """Return the mask of the star."""
    return polygon_mask(STAR, SHAPE, **EDGES).astype(int)


def winding():
    """Return how many times the star winds around each sample."""
    total = np.zeros(SHAPE, int)
    for second, third in itertools.pairwise(STAR[1:]):
        triangle = np.array((STAR[0], second, third))
        (x1, y1), (x2, y2) = triangle[1:] - triangle[0]
        total += int(np.sign(x1 * y2 - x2 * y1)) * polygon_mask(triangle, SHAPE, **EDGES)
    assert np.array_equal(total % 2, even_odd())
    return total


@drawing.chart
def draw():
    """Return the figure: the star twice, with a number for each sample."""
    from matplotlib.patches import Polygon, Rectangle

    rows, cols = SHAPE
    wide = cols * SQUARE + GAP
    figure = drawing.figure(2 * wide + 4, TOP + rows * SQUARE + 6)
    axes = drawing.axes(figure, 2, 2, 0, 0)
    axes.set(xlim=(0, 2 * wide), ylim=(TOP + rows * SQUARE + 6, 0))
    axes.axis("off")
    panels = {"even-odd": even_odd(), "nonzero": winding()}
    notes = {"even-odd": "1: an odd number of crossings", "nonzero": "the winding number"}
    for number, (name, values) in enumerate(panels.items()):
        left = number * wide + GAP / 2
        axes.text(left, 16, name, weight="bold")
        axes.text(left, 33, notes[name])
        for row, col in np.ndindex(SHAPE):
            x, y = left + col * SQUARE, TOP + row * SQUARE
            if values[row, col]:
                colour = drawing.LIGHT["sky" if values[row, col] == 1 else "amber"]
                axes.add_patch(Rectangle((x, y), SQUARE, SQUARE, color=colour, alpha=0.5))
                axes.text(x + SQUARE / 2, y + SQUARE - 3, values[row, col], ha="center", size=10)
            else:
                centre = x + SQUARE / 2, y + SQUARE / 2
                axes.plot(*centre, ".", color=drawing.LIGHT["grey"], markersize=2)
        corners = (STAR + 0.5) * SQUARE + (left, TOP)
        axes.add_patch(Polygon(corners, fill=False, edgecolor=drawing.LIGHT["ink"], linewidth=1))
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
