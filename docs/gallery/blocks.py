"""Draws the blocks of a lazy mask: those that are one value, and those with pixels of their own."""

import dask
import numpy as np
import squares

import polymask.dask
from ladder.report.charts import drawing

BLOCK = 100  # pixels a side
SHAPE = (16, 22)  # blocks
polygon = np.array([(3.6, 3.2), (12.3, 1.4), (19.4, 7.7), (14.2, 14.5), (4.1, 12.3)])
mask = polymask.dask.polygon_mask(BLOCK * polygon, np.multiply(SHAPE, BLOCK), chunks=BLOCK)


def kinds():
    """Return 0 for blocks that are outside, 1 for those that are inside, 2 for all others."""
    blocks = dask.get(mask.dask, mask.__dask_keys__())
    one_value = [[block.strides == (0, 0) for block in row] for row in blocks]
    return np.where(one_value, [[int(block[0, 0]) for block in row] for row in blocks], 2)


@drawing.chart
def draw():
    """Return the figure."""
    drawn = kinds()
    title = f"polymask.dask: {np.sum(drawn == 2)} of {drawn.size} blocks drawn"
    figure, axes = squares.panels(SHAPE, title, pixel=14)
    squares.fill(axes, drawn)
    squares.outline(axes, polygon)
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
