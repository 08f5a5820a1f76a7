"""Draws the outlines of the regions of a label image."""

import numpy as np
import squares

import polymask
from ladder.report.charts import drawing

SEEDS = np.array([(2.2, 2.6), (8.1, 2.3), (5.4, 5.8), (2.4, 8.9), (9.2, 8.4)])
y, x = np.mgrid[:11, :11] + 0.5
distances = np.hypot(x - SEEDS[:, 0, None, None], y - SEEDS[:, 1, None, None])
labels = np.where(distances.min(axis=0) < 3.2, 1 + distances.argmin(axis=0), 0)
outlines = polymask.labels_to_rings(labels)


@drawing.chart
def draw():
    """Return the figure."""
    figure, axes = squares.panels(labels.shape, f"labels_to_rings: {len(outlines)} labels")
    squares.fill(axes, labels)
    squares.write(axes, labels)
    for polygons in outlines.values():
        for rings in polygons:
            squares.outline(axes, *rings)
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
