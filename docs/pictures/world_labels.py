"""Draws the label image of the countries of the world.

python docs/pictures/world_labels.py
"""

import json
from pathlib import Path

import numpy as np

import polymask
from ladder.report.charts import drawing

MAP = Path(__file__).parents[2] / "examples/countries.geojson"
SHAPE = (280, 720)  # two pixels a degree, from 84 degrees north to 56 south
DEGREES = (0.5, 0, -180, 0, -0.5, 84)  # the affine transform: north is up


def labels():
    """Return the label image: 1 for the first country of the file, and so on."""
    world = json.loads(MAP.read_text(encoding="utf-8"))
    return polymask.label_mask(world, SHAPE, transform=DEGREES)


def show(image, pixel=1, shades=(0.9, 0.5)):
    """Return a figure of labels, in six colours with two shades, and its axes."""
    from matplotlib.colors import to_rgba

    colours = [
        to_rgba(drawing.LIGHT[name], alpha) for alpha in shades for name in drawing.OF_ROWS[:6]
    ]
    palette = np.array([(0, 0, 0, 0), *colours])  # nothing is drawn at 0: light or dark
    shown = np.where(image == 0, 0, 1 + image.astype(int) * 5 % len(colours))
    rows, cols = image.shape
    figure = drawing.figure(pixel * cols, pixel * rows)
    axes = drawing.axes(figure, 0, 0, 0, 0)
    axes.imshow(np.uint8(255 * palette)[shown], interpolation="none", aspect="auto")
    axes.axis("off")
    return figure, axes


@drawing.chart
def draw():
    """Return the figure."""
    return show(labels())[0]


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
