"""Draws random points, of which those inside a polygon are marked."""

import numpy as np
import squares

import polymask
from ladder.report.charts import drawing

polygon = [(1.2, 2.1), (6.8, 0.7), (10.4, 5.9), (6.1, 5.2), (7.7, 9.6), (2.4, 8.3)]
points = np.random.default_rng(1).uniform(0, 11, (80, 2))
inside = polymask.contains(polygon, points)


@drawing.chart
def draw():
    """Return the figure."""
    figure, axes = squares.panels((11, 11), f"contains: {inside.sum()} of {len(points)} points")
    squares.outline(axes, polygon)
    squares.dots(axes, points[inside], "blue")
    squares.dots(axes, points[~inside], "vermilion", "x")
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
