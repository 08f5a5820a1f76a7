"""Draws two countries on the grid of an xarray object: cells of one degree."""

import json
from pathlib import Path

import numpy as np
import squares
import xarray

import polymask
from ladder.report.charts import drawing

MAP = Path(__file__).parents[2] / "examples/countries.geojson"
NAMES = ["Spain", "Portugal"]
latitude, longitude = np.arange(44.5, 35, -1), np.arange(-10.5, 5)
grid = xarray.DataArray(
    np.zeros((len(latitude), len(longitude))), {"lat": latitude, "lon": longitude}
)
world = json.loads(MAP.read_text(encoding="utf-8"))["features"]
countries = {feature["properties"]["name"]: feature["geometry"] for feature in world}
shapes = [countries[name] for name in NAMES]
image = polymask.rasterize_like(shapes, grid, values=[1, 2])


@drawing.chart
def draw():
    """Return the figure."""
    figure, axes = squares.panels(
        image.shape, "rasterize_like: Spain and Portugal, cells of 1 degree"
    )
    squares.fill(axes, image.values)
    for shape in shapes:
        parts = shape["coordinates"]
        for rings in [parts] if shape["type"] == "Polygon" else parts:
            squares.outline(axes, *(np.subtract(ring, (-11, 45)) * (1, -1) for ring in rings))
    return figure


if __name__ == "__main__":
    squares.save(draw(), __file__)
