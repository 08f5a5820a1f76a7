"""Draws an image, polygons on it, and the mean of the image within each polygon."""

import numpy as np
import squares

import polymask
from ladder.report.charts import drawing

y, x = np.mgrid[:9, :11] + 0.5
image = np.exp(-((x - 3) ** 2 + (y - 3) ** 2) / 12) + np.exp(-((x - 9) ** 2 + (y - 7) ** 2) / 5)
polygons = [
    [(0.6, 1.3), (4.2, 0.4), (5.7, 3.8), (2.3, 5.6)],
    [(7.2, 0.7), (10.5, 1.4), (9.3, 4.2), (6.8, 3.6)],
    [(5.6, 5.3), (10.6, 5.1), (10.2, 8.7), (4.7, 8.2)],
]
statistics = polymask.polygon_statistics(polygons, image, center=True)
centroids = polymask.pixel_centroids(polygons, image.shape, center=True)


@drawing.chart
def draw():
    """Return the figure."""
    figure, axes = squares.panels(image.shape, "polygon_statistics: means")
    squares.fill(axes, image.round(1))
    squares.outline(axes, *polygons)
    for (x, y), mean in zip(centroids, statistics.mean, strict=True):
        axes.text(x, y, f"{mean:.2f}", ha="center", va="center")
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
