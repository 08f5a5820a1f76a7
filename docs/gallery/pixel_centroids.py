"""Draws polygons with their number of pixels, and the mean of the centres of these pixels."""

import squares

import polymask
from ladder.report.charts import drawing

SHAPE = (9, 11)
polygons = [
    [(0.4, 0.6), (5.3, 0.8), (5.1, 3.2), (2.6, 3.4), (2.3, 7.6), (0.7, 7.3)],
    [(6.4, 0.3), (10.7, 1.2), (9.8, 4.6), (6.9, 4.2)],
    [(4.2, 5.4), (9.6, 6.1), (8.8, 8.6), (3.7, 8.4)],
]
counts = polymask.pixel_counts(polygons, SHAPE, center=True)
centroids = polymask.pixel_centroids(polygons, SHAPE, center=True)


@drawing.chart
def draw():
    """Return the figure."""
    figure, axes = squares.panels(SHAPE, "pixel_counts, pixel_centroids")
    squares.fill(axes, polymask.label_mask(polygons, SHAPE, center=True))
    squares.outline(axes, *polygons)
    squares.dots(axes, centroids)
    for (x, y), count in zip(centroids, counts, strict=True):
        axes.text(x + 0.35, y, count, va="center")
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
