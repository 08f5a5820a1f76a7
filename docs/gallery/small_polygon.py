"""Draws a small country on a grid of half a degree: centres inside, and covered fractions."""

import json
from pathlib import Path

import numpy as np
import squares

import polymask
from ladder.report.charts import drawing

MAP = Path(__file__).parents[2] / "examples/countries.geojson"
SHAPE, STEP, CORNER = (3, 4), 0.5, (5, 50.5)  # west and north
world = json.loads(MAP.read_text(encoding="utf-8"))["features"]
(country,) = (f["geometry"] for f in world if f["properties"]["name"] == "Luxembourg")
options = {"transform": (STEP, 0, CORNER[0], 0, -STEP, CORNER[1])}
mask = polymask.polygon_mask(country, SHAPE, **options)
covered = polymask.coverage(country, SHAPE, **options)


@drawing.chart
def draw():
    """Return the figure."""
    titles = f"centres inside: {mask.sum()} pixel", f'weights="coverage": {covered.sum():.3f}'
    figure, left, right = squares.panels(SHAPE, *titles, pixel=64)
    squares.fill(left, mask)
    squares.fill(right, covered)
    rows, cols = np.mgrid[: SHAPE[0], : SHAPE[1]] + 0.5
    squares.dots(left, np.column_stack([cols.ravel(), rows.ravel()]), "soft", ".")
    for (row, col), part in np.ndenumerate(covered):
        if part:
            is_left = col == 1  # beside the outline
            place = (col + 0.04, row + 0.3) if is_left else (col + 0.96, row + 0.3)
            right.text(*place, f"{part:.2f}", ha="left" if is_left else "right")
    (ring,) = country["coordinates"]
    for axes in (left, right):
        squares.outline(axes, np.subtract(ring, CORNER) / (STEP, -STEP))
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
