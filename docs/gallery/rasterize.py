"""Draws the values of two fields on a map with pixels of 10 m: replaced, and added."""

import numpy as np
import squares

import polymask
from ladder.report.charts import drawing

SHAPE = (8, 11)
transform = (10, 0, 500_000, 0, -10, 6_000_000)  # in rasterio's order; north is up
fields = [
    ([(500_007, 5_999_988), (500_073, 5_999_994), (500_064, 5_999_943), (500_018, 5_999_937)], 3),
    ([(500_043, 5_999_966), (500_104, 5_999_973), (500_096, 5_999_924), (500_037, 5_999_929)], 5),
]


@drawing.chart
def draw():
    """Return the figure."""
    methods = "replace", "add"
    figure, *panels = squares.panels(
        SHAPE, *(f'rasterize, merge_alg="{method}"' for method in methods)
    )
    for axes, method in zip(panels, methods, strict=True):
        image = polymask.rasterize(fields, SHAPE, transform=transform, merge_alg=method)
        squares.fill(axes, image)
        squares.write(axes, image)
        for field, _ in fields:
            squares.outline(axes, np.subtract(field, (500_000, 6_000_000)) / (10, -10))
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
