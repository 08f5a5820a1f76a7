"""Charts in rows: a key, a drawing on a common logarithmic axis, and a text.

They are side by side; in a narrow chart, the text is above the drawing.
"""

from dataclasses import dataclass

import numpy as np

from ladder.report.charts import drawing

LINE, GAP = 15, 12  # height of a line of text, and space beside it
SIDE = 26  # space beside a narrow drawing, for half of a tick's label
SMALL = 10
FAR = 18  # pixels: a longer step has room for an arrowhead


@dataclass(frozen=True)
class Row:
    """The texts of a row; `beneath` is written below the key, in small letters."""

    key: str
    words: str
    beneath: str = ""


def draw(rows, values, height, write, narrow, top=8):
    """Return a figure with the texts, its axes to draw in, and the y of each row's drawing.

    The axis covers `values`, and `write` formats its ticks. The y (downwards), the `height` of all
    rows' drawings or of each, and the space above the first row, `top`, are in pixels.
    """
    width = drawing.NARROW if narrow else drawing.WIDE
    widths = [drawing.width(row.key, weight="bold") for row in rows]
    keys = GAP + max(*widths, *(drawing.width(row.beneath, SMALL) for row in rows))
    words = GAP + max(drawing.width(row.words) for row in rows)
    lines = 0
    if narrow:
        beside = [name + drawing.width(row.words) for name, row in zip(widths, rows, strict=True)]
        lines = 1 + (max(beside) + GAP > width) + any(row.beneath for row in rows)
    above = LINE * lines + GAP * narrow / 2
    heights = np.broadcast_to(height, len(rows))
    ends = np.cumsum(heights + LINE * lines + GAP * narrow)
    starts, end = np.array([0, *ends[:-1]]), ends[-1]
    figure = drawing.figure(width, top + end + 24)
    sides = (SIDE, SIDE) if narrow else (keys, words)
    axes = drawing.axes(figure, *sides, top, 24)
    axes.set(xscale="log", ylim=(end, 0), yticks=[])
    room = 1.6 if max(values) > min(values) else 10
    axes.set_xlim(min(values) / room, max(values) * room)
    drawing.decades(axes.xaxis, write, 4 if narrow else 9)
    axes.grid(axis="x")
    axes.tick_params(axis="x", length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    middles = starts + above + heights / 2
    for row, start, middle in zip(rows, starts, middles, strict=True):
        first = start + LINE * 0.75 if narrow else middle
        _write(axes, row, first, width - drawing.PAD if narrow else width - words + GAP, lines)
    return figure, axes, middles


def step(axes, key, y, old, new, colour="blue", dashed=False):
    """Draw an arrow from the old value of a row to the new one."""
    ink, paper = drawing.LIGHT["ink"], drawing.LIGHT["paper"]
    (start, _), (end, _) = axes.transData.transform([(old, y), (new, y)])
    arrow = {
        "arrowstyle": "-|>" if abs(end - start) > FAR else "-",
        "linestyle": (0, (4, 2)) if dashed else "-",
        "linewidth": 1.4,
        "color": ink,
        "shrinkA": 0,
        "shrinkB": 4,
    }
    axes.annotate("", (new, y), (old, y), arrowprops=arrow)
    axes.plot(old, y, "o", color=paper, markeredgecolor=ink, markersize=8, gid=f"old-{key}")
    axes.plot(new, y, "o", color=drawing.LIGHT[colour], markersize=8, gid=f"new-{key}")


def _write(axes, row, first, column, lines):
    """Write the texts of a row in `lines` lines above its drawing, or beside it for 0 lines."""

    def put(x, y, text, **looks):
        axes.annotate(
            text, (x, y), xycoords=("figure points", "data"), va="center_baseline", **looks
        )

    up = 0 if lines or not row.beneath else LINE / 2
    below = lines - bool(row.beneath) > 1  # whether the words have their own line
    put(drawing.PAD, first - up, row.key, fontweight="bold")
    if below:
        put(drawing.PAD, first + LINE, row.words)
    else:
        put(column, first, row.words, ha="right" if lines else "left")
    if row.beneath:
        small = {"fontsize": SMALL, "color": drawing.LIGHT["soft"]}
        put(drawing.PAD, first + (LINE * (1 + below) if lines else up), row.beneath, **small)
