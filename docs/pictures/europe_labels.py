"""Draws the label image of a window of a map, and the names of the eight largest countries in it.

python docs/pictures/europe_labels.py
"""

import json
from pathlib import Path

import numpy as np
import world_labels

import polymask
from ladder.report.charts import drawing

WEST, SOUTH, EAST, NORTH, STEP = -10, 35, 30, 60, 0.1  # degrees
SHAPE = round((NORTH - SOUTH) / STEP), round((EAST - WEST) / STEP)
OPTIONS = {"transform": (STEP, 0, WEST, 0, -STEP, NORTH)}
world = json.loads(world_labels.MAP.read_text(encoding="utf-8"))
names = [feature["properties"]["name"] for feature in world["features"]]


@drawing.chart
def draw():
    """Return the figure."""
    image = polymask.label_mask(world, SHAPE, **OPTIONS)
    figure, axes = world_labels.show(image, 1.4, (0.6, 0.35))
    counts = polymask.pixel_counts(world, SHAPE, **OPTIONS)
    centroids = polymask.pixel_centroids(world, SHAPE, **OPTIONS)
    for country in np.argsort(-counts)[:8]:
        x, y = (centroids[country] - (WEST, NORTH)) / (STEP, -STEP)
        axes.text(x, y, names[country], ha="center", va="center")
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
