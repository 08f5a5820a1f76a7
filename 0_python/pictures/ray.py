"""Draw rays, the edges that they cross, and the mask, according to `inside_polygon` in tuples.py.

python 0_python/pictures/ray.py

The crossings are recorded while `inside_polygon` runs: each time it reaches the line that toggles
`inside`, its variables describe an edge that the ray crosses.
"""

import inspect
import sys
from pathlib import Path

import numpy as np

from ladder.python.tuples import inside_polygon, make_mask
from ladder.report.charts import drawing

SHAPE = ROWS, COLS = 9, 13
POLYGON = [(2.5, 0.5), (11.5, 0.5), (9.5, 4.0), (11.5, 7.5), (6.5, 4.0), (0.5, 7.5)]
RAYS = {(4, 2): "amber", (4, 4): "vermilion", (0, 6): "purple"}  # (x, y) of a pixel: its colour
TOGGLE = "inside = not inside"
NEAR = 0.3  # between a vertex and the mark of an edge that ends there, pixels


def crossings(x, y, vertices=POLYGON):
    """Return the x where the ray of a pixel crosses each edge that toggles it, by edge number."""
    lines, first = inspect.getsourcelines(inside_polygon)
    (toggle,) = (n for n, line in enumerate(lines, first) if line.strip() == TOGGLE)
    crossed = {}

    def trace(frame, event, _):
        if frame.f_code is not inside_polygon.__code__:
            return None
        if event == "line" and frame.f_lineno == toggle:
            edge = [frame.f_locals[name] for name in ("x1", "y1", "x2", "y2")]
            crossed[frame.f_locals["i"]] = crossing(y, *edge)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        inside = inside_polygon(x, y, vertices, border_value=True)
    finally:
        sys.settrace(before)
    assert inside == len(crossed) % 2
    return crossed


def crossing(y, x1, y1, x2, y2):
    """Return the x at which an edge crosses a row."""
    return (y - y1) * (x2 - x1) / (y2 - y1) + x1


def draw_edge(axes, start, end):
    """Draw an edge: a disc at the end that counts, a ring at the end that does not."""
    colour = drawing.LIGHT["ink"]
    axes.plot(*zip(start, end, strict=True), color=colour, linewidth=1.5)
    if start[1] == end[1]:
        return
    (x1, y1), (x2, y2) = sorted((start, end), key=lambda vertex: vertex[1])
    along = NEAR / ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    for x, y, face in (
        (x1 + along * (x2 - x1), y1 + along * (y2 - y1), drawing.LIGHT["paper"]),
        (x2 - along * (x2 - x1), y2 - along * (y2 - y1), colour),
    ):
        axes.plot(x, y, "o", markersize=6, markerfacecolor=face, markeredgecolor=colour)


def draw_ray(axes, x, y, colour):
    """Draw the ray of a pixel, with the number of each crossing above it."""
    axes.plot(x, y, "s", color=colour, markersize=7)
    arrow = {"arrowstyle": "->", "color": colour, "linewidth": 2, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", (COLS + 0.3, y), (x, y), arrowprops=arrow)
    crossed = sorted(crossings(x, y).values())
    for number, where in enumerate(crossed, 1):
        axes.plot([where, where], [y - 0.25, y + 0.25], color=colour, linewidth=3)
        axes.text(where - 0.15, y - 0.3, str(number), color=colour, ha="right", weight="bold")
    axes.text(COLS + 0.5, y, str(len(crossed)), color=colour, va="center", weight="bold")


@drawing.chart
def draw():
    """Return the figure: pixels and polygon, and the rays of three pixels."""
    from matplotlib.colors import ListedColormap

    figure = drawing.figure(420, 316)
    axes = drawing.axes(figure, 24, 4, 40, 4)
    axes.set(xlim=(-0.5, COLS + 1), ylim=(ROWS - 0.5, -0.5), aspect="equal")
    axes.tick_params(length=0, pad=2, top=False, labeltop=True, bottom=False, labelbottom=False)
    axes.set(xticks=range(COLS), yticks=range(ROWS))
    for side in axes.spines.values():
        side.set_visible(False)
    drawing.title(figure, "the rays of three pixels")
    figure.text(1, 1 - drawing.PAD / 316, "crossings ", ha="right", va="top")
    pixels = {"edgecolors": drawing.LIGHT["grid"], "linewidth": 1}
    colours = ListedColormap([drawing.LIGHT[name] for name in ("paper", "grid")])
    axes.pcolormesh(range(COLS), range(ROWS), make_mask(POLYGON, SHAPE), cmap=colours, **pixels)
    axes.plot(
        *np.indices(SHAPE[::-1]).reshape(2, -1), ".", color=drawing.LIGHT["grey"], markersize=3
    )
    for start, end in zip(POLYGON, POLYGON[1:] + POLYGON[:1], strict=True):
        draw_edge(axes, start, end)
    for (x, y), name in RAYS.items():
        draw_ray(axes, x, y, drawing.LIGHT[name])
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
