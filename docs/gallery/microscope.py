"""Draws the cells of docs/how_to/microscope.md: outlines on the image, and labels."""

import numpy as np
import squares

import polymask
from ladder.report.charts import drawing

outlines = [  # vertices are (row, column)
    [(2.5, 2.5), (2.5, 9.5), (6.5, 11.5), (10.5, 9.5), (10.5, 2.5)],
    [(2.5, 9.5), (3.5, 16.5), (10.5, 16.5), (10.5, 9.5), (6.5, 11.5)],
    [(13.2, 5.1), (12.8, 9.7), (17.4, 10.2), (18.3, 4.6)],
]
image = np.full((20, 20), 100) + 10 * np.arange(20)
options = {"order": "rc", "watertight": True, "border_value": None}
labels = polymask.label_mask(outlines, image.shape, **options)
statistics = polymask.polygon_statistics(outlines, image, **options)
centroids = polymask.pixel_centroids(outlines, image.shape, **options)


@drawing.chart
def draw():
    """Return the figure: pixel (0, 0) has its centre at (0, 0), as in the page."""
    titles = "the image and the outlines", "labels, areas, mean intensities"
    figure, left, right = squares.panels(image.shape, *titles, pixel=13)
    for col, value in enumerate(image[0]):  # all rows are the same
        grey = drawing.LIGHT["grey"], value / 500
        left.axvspan(col, col + 1, facecolor=grey, linewidth=0, zorder=-1)
    squares.fill(right, labels)
    for axes in (left, right):
        squares.outline(axes, *(np.array(outline)[:, ::-1] + 0.5 for outline in outlines))
    values = zip(centroids, statistics.count, statistics.mean, strict=True)
    for (row, col), count, mean in values:
        text = f"{count} px\n{mean:.0f}"
        right.text(col + 0.5, row + 0.5, text, ha="center", va="center")
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
