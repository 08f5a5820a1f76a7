"""Draws a country on a coarse grid: cells with their centre inside, and covered fractions.

python docs/pictures/cell_fractions.py
"""

import json
from pathlib import Path

import numpy as np

import polymask
from ladder.report.charts import drawing

MAP = Path(__file__).parents[2] / "examples/countries.geojson"
STEP = 2.5  # degrees
WEST, NORTH = 5.0, 47.5  # the corner of the first cell
SHAPE = (5, 6)
CELL = 50  # pixels of the picture


def rings():
    """Return the rings of Italy; their coordinates are in cells."""
    features = json.loads(MAP.read_text(encoding="utf-8"))["features"]
    (italy,) = (f["geometry"] for f in features if f["properties"]["name"] == "Italy")
    polygons = italy["coordinates"]
    return [np.subtract(ring, (WEST, NORTH)) / (STEP, -STEP) for part in polygons for ring in part]


def fractions():
    """Return the title and the weight of each cell, for both methods."""
    mask = polymask.polygon_mask(rings(), SHAPE, center=True)
    covered = polymask.coverage([[ring] for ring in rings()], SHAPE, center=True)
    return {
        f"centres inside: {mask.sum()} cells": mask.astype(float),
        f"covered fractions: {covered.sum():.1f} cells": covered,
    }


@drawing.chart
def draw():
    """Return the figure: the weights of the cells for each method, one above the other."""
    from matplotlib.patches import Polygon, Rectangle

    rows, cols = SHAPE
    high = rows + 0.75
    figure = drawing.figure((cols + 0.5) * CELL, 2 * high * CELL)
    axes = drawing.axes(figure, CELL / 4, CELL / 4, 0, 0)
    axes.set(xlim=(0, cols), ylim=(2 * high - 0.5, -0.5))
    axes.axis("off")
    for number, (title, weights) in enumerate(fractions().items()):
        top = high * number
        axes.text(0, top - 0.15, title)
        for row, col in np.ndindex(SHAPE):
            shade = drawing.LIGHT["blue"], float(weights[row, col]) / 2
            square = {"facecolor": shade, "edgecolor": drawing.LIGHT["grid"]}
            axes.add_patch(Rectangle((col, top + row), 1, 1, **square))
            centre = col + 0.5, top + row + 0.5
            if number == 0:
                axes.plot(*centre, ".", color=drawing.LIGHT["soft"], markersize=4)
            elif weights[row, col] >= 0.01:
                axes.text(*centre, f"{weights[row, col]:.0%}", ha="center", va="center")
        for ring in rings():
            outline = {"fill": False, "edgecolor": drawing.LIGHT["ink"], "linewidth": 1.5}
            axes.add_patch(Polygon(ring + (0, top), **outline))
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
