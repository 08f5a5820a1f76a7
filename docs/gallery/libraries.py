"""Draws the mask of one polygon by polymask, rasterio and Pillow, and marks the differences."""

import numpy as np
import squares
from PIL import Image, ImageDraw
from rasterio.features import rasterize

import polymask
from ladder.report.charts import drawing

SHAPE = (9, 9)
polygon = [(1, 4), (4.3, 0.6), (7, 4), (7, 7), (1, 7)]  # in the coordinates of the samples
mask = polymask.polygon_mask(polygon, SHAPE)


def by_rasterio():
    """Return rasterio's mask; it samples at half-integers, so the polygon moves by a half."""
    ring = [*(np.array(polygon) + 0.5).tolist(), (1.5, 4.5)]
    geometry = {"type": "Polygon", "coordinates": [ring]}
    return rasterize([geometry], SHAPE, dtype="uint8") > 0


def by_pillow():
    """Return Pillow's mask."""
    image = Image.new("L", SHAPE[::-1])
    ImageDraw.Draw(image).polygon(polygon, fill=1)
    return np.asarray(image) > 0


@drawing.chart
def draw():
    """Return the figure: green is in polymask's mask only, vermilion in the other only."""
    figure, *panels = squares.panels(SHAPE, "polymask", "rasterio", "Pillow", pixel=18)
    for axes, other in zip(panels, (mask, by_rasterio(), by_pillow()), strict=True):
        squares.fill(axes, np.where(mask, np.where(other, 1, 3), np.where(other, 2, 0)))
        squares.outline(axes, np.array(polygon) + 0.5)
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
