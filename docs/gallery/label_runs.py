"""Draws the runs of two polygons that overlap: each keeps all of its runs."""

import squares

import polymask
from ladder.report.charts import drawing

SHAPE = (8, 11)
polygons = [
    [(0.7, 1.3), (6.6, 0.4), (7.8, 5.2), (2.2, 6.9)],
    [(4.3, 2.2), (10.4, 3.6), (8.1, 7.7), (3.6, 7.2)],
]
runs = polymask.label_runs(polygons, SHAPE, center=True)


@drawing.chart
def draw():
    """Return the figure."""
    figure, axes = squares.panels(SHAPE, f"label_runs: {len(runs.row)} runs")
    for row, start, stop, label in zip(*runs[:4], strict=True):
        colour = drawing.LIGHT[squares.LABELS[label - 1]]
        height = row + label / 3
        axes.plot([start + 0.15, stop - 0.15], [height, height], color=colour, linewidth=5)
    squares.outline(axes, *polygons)
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
