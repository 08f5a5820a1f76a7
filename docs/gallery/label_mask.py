"""Draws the label image of three polygons that overlap, with the last or the smallest on top."""

import squares

import polymask
from ladder.report.charts import drawing

SHAPE = (9, 11)
polygons = [
    [(4.2, 2.1), (7.3, 2.4), (5.8, 5.7)],
    [(0.6, 1.2), (8.4, 0.6), (6.2, 8.3), (1.5, 7.4)],
    [(5.3, 4.4), (10.6, 3.2), (9.8, 8.7), (4.4, 8.2)],
]


@drawing.chart
def draw():
    """Return the figure."""
    orders = "last", "smallest"
    figure, *panels = squares.panels(SHAPE, *(f'label_mask, on_top="{order}"' for order in orders))
    for axes, order in zip(panels, orders, strict=True):
        labels = polymask.label_mask(polygons, SHAPE, on_top=order, center=True)
        squares.fill(axes, labels)
        squares.write(axes, labels)
        squares.outline(axes, *polygons)
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
