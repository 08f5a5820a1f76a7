"""Dots in rows on one logarithmic axis."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from ladder.report.charts import drawing, in_rows

HEIGHT = 40  # of a row's dots, pixels; more if many of them are equal
DOT, STEP = 7, 6  # the size of a dot, and the distance of lanes
TOP, ENTRY = 26, 17  # room for the title, and for each entry of the legend
MARKS = "os^DvP"  # one mark, and one colour, for each kind
OTHERS = "x"  # the mark of all other kinds


@dataclass(frozen=True)
class DotRow:
    """A row: its key, its text, its middle value, and its dots.

    A dot is a pair: the number of its kind, and its value.
    """

    key: str
    words: str
    middle: float
    dots: tuple


@drawing.chart
def draw(rows, title, kinds, write, zone=None, limits=(0.0, np.inf)):
    """Draw rows of dots, each a `DotRow`; return None without rows.

    `kinds` are the names of the kinds of dots; all kinds beyond the number of marks share one.
    `write` formats a tick, `zone` is tinted, and dots outside the limits are drawn as arrows.
    """
    if not rows:
        return None
    values = np.clip([value for row in rows for _, value in row.dots] + [1.0], *limits)
    texts = [in_rows.Row(row.key, row.words) for row in rows]
    names = [*kinds[: len(MARKS)], *["others"] * (len(kinds) > len(MARKS))]
    top = TOP + ENTRY * len(names)
    _, draft, _ = in_rows.draw(texts, values, HEIGHT, write, top)
    spots = [np.clip([value for _, value in row.dots], *limits) for row in rows]
    places = [_lanes(draft, x) for x in spots]
    heights = [max(HEIGHT, 2 * max(abs(of_row)) + 2 * DOT) for of_row in places]
    figure, axes, middles = in_rows.draw(texts, values, heights, write, top)
    grid, soft, ink = (drawing.LIGHT[name] for name in ("grid", "soft", "ink"))
    if zone:
        axes.axvspan(*zone, color=drawing.LIGHT["tint"], zorder=0)
    axes.axvline(1, color=soft, linewidth=1, zorder=0.5)
    points = defaultdict(list)
    for row, middle, height, x, lanes in zip(rows, middles, heights, spots, places, strict=True):
        axes.axhline(middle + height / 2, color=grid, linewidth=0.6, zorder=0.5)
        half = height * 0.42
        at = np.clip(row.middle, *limits)
        axes.plot([at, at], [middle - half, middle + half], color=ink, linewidth=1.2)
        for (kind, value), spot, place in zip(row.dots, x, lanes, strict=True):
            arrow = "<" if value < limits[0] else ">" if value > limits[1] else ""
            points[min(kind, len(MARKS)), arrow].append((spot, middle + place))
    for (kind, arrow), places in sorted(points.items()):
        looks = _looks(kind)
        looks["marker"] = arrow or looks["marker"]
        axes.plot(*zip(*places, strict=True), alpha=0.7, **looks)
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], label=name, **_looks(kind)) for kind, name in enumerate(names)]
    drawing.legend(figure, handles, TOP, handletextpad=0)
    drawing.title(figure, title)
    return figure


def _looks(kind):
    """Return matplotlib's options for dots of a kind."""
    looks = {"linestyle": "", "markersize": DOT}
    if kind >= len(MARKS):
        return looks | {"marker": OTHERS, "color": drawing.LIGHT["grey"]}
    return looks | {"marker": MARKS[kind], "color": drawing.LIGHT[drawing.OF_ROWS[kind]]}


def _lanes(axes, values):
    """Return how far each dot is above the middle of the row, so that none lies on another."""
    x = axes.transData.transform(np.column_stack([values, np.ones(len(values))]))[:, 0]
    ends, places = [-np.inf] * len(values), np.zeros(len(values))
    for dot in np.argsort(x, kind="stable"):
        lane = next(lane for lane, end in enumerate(ends) if end + DOT <= x[dot])
        side = lane % 2 * 2 - 1  # lanes 0, 1, 2, 3 are in the middle, above, below, above
        ends[lane], places[dot] = x[dot], side * ((lane + 1) // 2) * STEP
    return places
