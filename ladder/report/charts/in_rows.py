"""Charts in rows: a key, a drawing on a common logarithmic axis, and a text, side by side."""

from dataclasses import dataclass

import numpy as np

from ladder.report.charts import drawing

WIDTH, LINE, GAP = 720, 15, 12  # of a chart; height of a line of text, and space beside it
SMALL = 10


@dataclass(frozen=True)
class Row:
    """The texts of a row; `beneath` is written below the key, in small letters."""

    key: str
    words: str
    beneath: str = ""


def draw(rows, values, height, write, top=8):
    """Return a figure with the texts, its axes to draw in, and the y of each row's drawing.

    The axis covers `values`, and `write` formats its ticks. The y (downwards), the `height` of all
    rows' drawings or of each, and the space above the first row, `top`, are in pixels.
    """
    widths = [drawing.width(row.key, weight="bold") for row in rows]
    keys = GAP + max(*widths, *(drawing.width(row.beneath, SMALL) for row in rows))
    words = GAP + max(drawing.width(row.words) for row in rows)
    heights = np.broadcast_to(height, len(rows))
    ends = np.cumsum(heights)
    middles, end = ends - heights / 2, ends[-1]
    figure = drawing.figure(WIDTH, top + end + 24)
    axes = drawing.axes(figure, keys, words, top, 24)
    axes.set(xscale="log", ylim=(end, 0), yticks=[])
    room = 1.6 if max(values) > min(values) else 10
    axes.set_xlim(min(values) / room, max(values) * room)
    drawing.decades(axes.xaxis, write)
    axes.grid(axis="x")
    axes.tick_params(axis="x", length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    for row, middle in zip(rows, middles, strict=True):
        _write(axes, row, middle, WIDTH - words + GAP)
    return figure, axes, middles


def _write(axes, row, middle, column):
    """Write the texts of a row beside its drawing; the words begin at `column`."""

    def put(x, y, text, **looks):
        axes.annotate(
            text, (x, y), xycoords=("figure points", "data"), va="center_baseline", **looks
        )

    up = LINE / 2 if row.beneath else 0
    put(drawing.PAD, middle - up, row.key, fontweight="bold")
    put(column, middle, row.words)
    if row.beneath:
        small = {"fontsize": SMALL, "color": drawing.LIGHT["soft"]}
        put(drawing.PAD, middle + up, row.beneath, **small)
