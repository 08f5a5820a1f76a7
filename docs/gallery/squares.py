"""Draws images as squares of pixels with polygons on them; the pictures beside it use it.

python docs/gallery/squares.py    # draws all pictures of the folder
"""

import itertools
import runpy
from pathlib import Path

import numpy as np

from ladder.report.charts import drawing

BLUES = "blue", 0.5  # of a mask: the outline is visible on it in light and dark
LABELS = "blue", "vermilion", "green", "purple", "amber", "grey"
TITLE, SIDE, GAP = 24, 8, 16  # pixels of the picture


def panels(shape, *titles, pixel=24):
    """Return a figure, and axes for each title: an image of a shape with a grid of its pixels."""
    rows, cols = shape
    wide, high = cols * pixel, rows * pixel
    total = 2 * SIDE + len(titles) * (wide + GAP) - GAP
    figure = drawing.figure(total, TITLE + high + SIDE)
    every = []
    for number, title in enumerate(titles):
        left = SIDE + number * (wide + GAP)
        axes = drawing.axes(figure, left, total - left - wide, TITLE, SIDE)
        axes.set(xlim=(0, cols), ylim=(rows, 0))
        axes.axis("off")
        axes.text(0, -6 / pixel, title)
        lines = {"colors": drawing.LIGHT["grid"], "linewidth": 1, "clip_on": False, "zorder": 0}
        axes.vlines(range(cols + 1), 0, rows, **lines)
        axes.hlines(range(rows + 1), 0, cols, **lines)
        every.append(axes)
    return figure, *every


def fill(axes, image):
    """Colour the pixels: those of masks and fractions by their value, those of labels by label."""
    from matplotlib.patches import Rectangle

    are_labels = image.dtype.kind in "iu"
    for row, values in enumerate(image.tolist()):
        col = 0
        for value, run in itertools.groupby(values):
            width = len([*run])
            name, alpha = (LABELS[int(value - 1) % len(LABELS)], 0.5) if are_labels else BLUES
            colour = drawing.LIGHT[name], alpha if are_labels else alpha * float(value)
            if value:
                square = Rectangle((col, row), width, 1, facecolor=colour, linewidth=0, zorder=-1)
                axes.add_patch(square)
            col += width


def write(axes, image, form="{:g}"):
    """Write the values of all pixels that are not 0."""
    for row, col in np.argwhere(image):
        text = form.format(image[row, col])
        axes.text(col + 0.5, row + 0.5, text, ha="center", va="center")


def outline(axes, *rings, colour="ink"):
    """Draw the edges of rings, whose vertices are in pixels."""
    for ring in rings:
        closed = np.vstack([ring, ring[:1]])
        axes.plot(*closed.T, color=drawing.LIGHT[colour], linewidth=1.5, clip_on=False)


def dots(axes, points, colour="ink", marker="o"):
    """Draw a mark at each point (x, y)."""
    looks = {"linestyle": "", "markersize": 5, "markeredgewidth": 1.2, "clip_on": False}
    axes.plot(*np.transpose(points), marker, color=drawing.LIGHT[colour], **looks)


def save(figure, file):
    """Write the picture beside its script."""
    drawing.save(figure, Path(file).with_suffix(""), ("svg",))


if __name__ == "__main__":
    for script in sorted({*Path(__file__).parent.glob("*.py")} - {Path(__file__)}):
        runpy.run_path(str(script), run_name="__main__")
