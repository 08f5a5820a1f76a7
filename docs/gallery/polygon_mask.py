"""Draws the even-odd rule: a ring with a hole, and a ring that crosses itself."""

import squares

import polymask
from ladder.report.charts import drawing

SHAPE = (11, 11)
ring = [(0.6, 1.2), (9.4, 0.5), (10.3, 9.1), (4.8, 10.4), (1.3, 8.2)]
hole = [(3.2, 3.4), (6.7, 2.8), (6.9, 7.1), (3.6, 6.8)]
star = [(5.5, 0.3), (8.9, 10.4), (0.2, 4.1), (10.8, 4.1), (2.1, 10.4)]


@drawing.chart
def draw():
    """Return the figure."""
    figure, left, right = squares.panels(
        SHAPE, "polygon_mask: two rings", "a ring that crosses itself"
    )
    for axes, polygon in (left, [ring, hole]), (right, [star]):
        squares.fill(axes, polymask.polygon_mask(polygon, SHAPE, center=True))
        squares.outline(axes, *polygon)
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
