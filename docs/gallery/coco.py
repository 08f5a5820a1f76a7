"""Draws the annotations of docs/how_to/coco.md: objects, which may have parts, and a crowd."""

import numpy as np
import squares

import polymask
from ladder.report.charts import drawing

SHAPE = (6, 10)
PARTS = [
    [[1, 1, 6, 1, 6, 5, 1, 5]],
    [[5, 2, 8, 2, 8, 4, 5, 4], [9, 0, 10, 0, 10, 4, 9, 4]],
]
CROWD = {"size": SHAPE, "counts": [24, 2, 4, 2, 4, 2, 4, 2, 16]}
objects = [[[np.reshape(part, (-1, 2))] for part in parts] for parts in PARTS]
labels = polymask.label_mask(objects, SHAPE, labels=[11, 12], center=True)


@drawing.chart
def draw():
    """Return the figure."""
    figure, left, right = squares.panels(SHAPE, "labels of two objects", "a crowd", pixel=26)
    squares.fill(left, labels)
    squares.write(left, labels)
    squares.outline(left, *(ring for parts in objects for rings in parts for ring in rings))
    squares.fill(right, polymask.coco_to_mask(CROWD))
    squares.outline(right, *(ring for rings in polymask.coco_to_rings(CROWD) for ring in rings))
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
