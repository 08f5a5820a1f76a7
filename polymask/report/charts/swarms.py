"""Dots of many on one logarithmic axis, a row each: dots that are near stand beside each other."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from polymask.report.charts import drawing, in_rows

HEIGHT = 40  # of a row's dots, pixels
DOT, STEP = 7, 6  # the size of a dot, and from lane to lane
LANES = (0, -1, 1, -2, 2)  # of dots that are near, from the middle of a row
TOP, ENTRY = 26, 17  # room for the title, and for what a mark means
MARKS = "os^DvP"  # a kind's, for those who do not see colours
OTHERS = "x"  # all that have no mark of their own


@dataclass(frozen=True)
class Swarm:
    """A row: its key, what is written of it, where its middle is, and its dots.

    A dot is the number of its kind, and its value.
    """

    key: str
    words: str
    middle: float
    dots: tuple


@drawing.chart
def draw(rows, title, kinds, write, zone=None, limits=(0.0, np.inf)):
    """Draw rows of dots, each a `Swarm`; None where there are none.

    `kinds` says what each kind of dot is: those for which there is no mark are one. `write` writes
    a tick, the zone is tinted, and what lies outside the limits is drawn at that side, as an arrow.
    """
    if not rows:
        return None
    values = np.clip([value for row in rows for _, value in row.dots] + [1.0], *limits)
    written = [in_rows.Row(row.key, row.words) for row in rows]
    top = TOP + ENTRY * min(len(kinds), len(MARKS) + 1)
    figure, axes, middles = in_rows.draw(written, values, HEIGHT, write, False, top)
    grid, soft, ink = (drawing.LIGHT[name] for name in ("grid", "soft", "ink"))
    if zone:
        axes.axvspan(*zone, color=drawing.LIGHT["tint"], zorder=0)
    axes.axvline(1, color=soft, linewidth=1, zorder=0.5)
    marked = defaultdict(list)
    for row, middle in zip(rows, middles, strict=True):
        axes.axhline(middle + HEIGHT / 2, color=grid, linewidth=0.6, zorder=0.5)
        half = HEIGHT * 0.42
        at = np.clip(row.middle, *limits)
        axes.plot([at, at], [middle - half, middle + half], color=ink, linewidth=1.2)
        for (kind, value), place in zip(row.dots, _apart(axes, row.dots, limits), strict=True):
            arrow = "<" if value < limits[0] else ">" if value > limits[1] else ""
            marked[min(kind, len(MARKS)), arrow].append(
                (*np.clip([value], *limits), middle + place)
            )
    for (kind, arrow), places in sorted(marked.items()):
        mark, colour = _look(kind)
        axes.plot(
            *zip(*places, strict=True), arrow or mark, color=colour, markersize=DOT, alpha=0.7
        )
    _legend(figure, kinds)
    drawing.title(figure, title)
    return figure


def _look(kind):
    """Return mark and colour of a kind."""
    if kind >= len(MARKS):
        return OTHERS, drawing.LIGHT["grey"]
    return MARKS[kind], drawing.LIGHT[drawing.OF_ROWS[kind]]


def _apart(axes, dots, limits):
    """Return for each dot how far from the middle of its row it stands: in its lane."""
    values = np.clip([value for _, value in dots], *limits)
    x = axes.transData.transform(np.column_stack([values, np.ones(len(values))]))[:, 0]
    ends, places = dict.fromkeys(LANES, -np.inf), np.zeros(len(values))
    for dot in np.argsort(x, kind="stable"):
        free = [lane for lane in LANES if ends[lane] + DOT <= x[dot]]
        lane = free[0] if free else min(LANES, key=ends.get)
        ends[lane], places[dot] = x[dot], lane * STEP
    return places


def _legend(figure, kinds):
    from matplotlib.lines import Line2D

    said = list(kinds[: len(MARKS)])
    if len(kinds) > len(MARKS):
        said.append("others")
    handles = []
    for kind, text in enumerate(said):
        mark, colour = _look(kind)
        look = {"color": colour, "linestyle": "", "markersize": DOT}
        handles.append(Line2D([], [], marker=mark, label=text, **look))
    drawing.legend(figure, handles, TOP, handletextpad=0)
