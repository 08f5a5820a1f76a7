"""Draw how the crossings of one row become toggles, and the toggles become the mask.

python 9_scanline/pictures/toggles.py

The polygon and the row are those of the example in the lesson. The crossings are computed as in
rows.py, and the result is compared with the row of that rung's mask.
"""

from pathlib import Path

import numpy as np

from ladder.report.charts import drawing
from ladder.scanline.rows import make_mask

COLS, ROWS, ROW = 12, 8, 2
POLYGON = ((0, 8), (2, 0), (6, 4), (10, 0), (12, 8))
CELL, STEP = 36, 30  # pixels
INK, SOFT, BLUE, AMBER = (drawing.LIGHT[name] for name in ("ink", "soft", "blue", "amber"))


def crossings(polygon=POLYGON, row=ROW):
    """Return `xinters` of each edge that crosses the row, in the order of the edges."""
    result = []
    for (x1, y1), (x2, y2) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        if min(y1, y2) < row <= max(y1, y2):
            result.append((row - y1) * (x2 - x1) / (y2 - y1) + x1)
    return result


def toggles():
    """Return one value per pixel: whether the number of its toggles is odd."""
    odd = np.zeros(COLS + 1, dtype=bool)
    for xinters in crossings():
        odd[0] ^= True
        odd[int(xinters) + 1] ^= True
    return odd[:-1]


def inside():
    """Return the row of the mask, after a comparison with the parities of the toggles."""
    row = make_mask(POLYGON, (ROWS, COLS))[ROW]
    assert np.array_equal(row, np.logical_xor.accumulate(toggles()))
    return row


def digits(axes, y, values, colour):
    """Write one 0 or 1 per pixel, and fill the cells of the ones."""
    for x, value in enumerate(values):
        face = colour if value else "none"
        axes.bar(x, 22, 1, y - 11, facecolor=face, alpha=0.35, edgecolor=SOFT, linewidth=0.5)
        axes.text(x, y, int(value), ha="center", va="center", size=14)


@drawing.chart
def draw():
    """Return the figure: the image with its polygon, and below it what happens to the row."""
    strips = len(crossings())
    height = CELL * ROWS + STEP * (strips + 4) + 52
    figure = drawing.figure(CELL * COLS + 40, height)
    axes = drawing.axes(figure, 12, 12, 6, 0)
    axes.axis("off")
    top = CELL * ROWS  # everything below the image, in pixels from its upper side
    x, y = np.array((*POLYGON, POLYGON[0])).T
    axes.axhspan(CELL * (ROW - 0.5), CELL * (ROW + 0.5), color=AMBER, alpha=0.25, linewidth=0)
    axes.plot(x, CELL * y, color=INK, linewidth=1.5)
    pixels = make_mask(POLYGON, (ROWS, COLS))
    for shade, chosen in (("none", pixels == 0), (BLUE, pixels == 1)):
        rows, cols = np.nonzero(chosen)
        axes.scatter(cols, CELL * rows, 26, facecolor=shade, edgecolor=BLUE, linewidth=1)
    axes.plot(crossings(), [CELL * ROW] * strips, "x", color=INK, markersize=9, markeredgewidth=2)
    y = top + 16
    axes.text(-0.5, y, f"row {ROW}: each edge toggles the pixels 0..X", va="center", size=14)
    for xinters in crossings():
        y += 24
        axes.bar(int(xinters) / 2, 14, int(xinters) + 1, y - 7, color=AMBER, alpha=0.6)
        right = xinters > COLS - 4
        axes.text(int(xinters) + (0.3 if right else 0.7), y, f"x = {xinters:g}, X = {int(xinters)}",
                  ha="right" if right else "left", va="center", size=13)  # fmt: skip
    for name, values, colour in (
        ("toggles: 1 where their number is odd", toggles(), AMBER),
        ("parity of all toggles so far: the mask", inside(), BLUE),
    ):
        y += 30
        axes.text(-0.5, y, name, va="center", size=14)
        y += 26
        digits(axes, y, values, colour)
    axes.set(xlim=(-0.5, COLS + 0.1), ylim=(y + 20, -CELL / 2))
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
