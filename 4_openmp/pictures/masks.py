"""Draw the masks of eight pixels, one for each edge that crosses their row.

python 4_openmp/pictures/masks.py

The polygon is the course's, on a small image. A mask has the bit of a pixel where the edge toggles
it, according to the reference; the result is compared with python.tuples.
"""

from pathlib import Path

import numpy as np

from ladder.python.tuples import inside_polygon
from ladder.registry import reference, workload
from ladder.report.charts import drawing

SIZE, ROW, FIRST, LANES = 96, 92, 80, 8  # rows and columns, and the pixels
WIDTH, LEFT, CELL, HIGH, TOP, ZOOM = 400, 76, 39, 18, 26, 84  # pixels of the picture
POLYGON = [tuple(vertex) for vertex in workload.polygon(shape=(SIZE, SIZE)).tolist()]
EDGES = dict(enumerate(zip(POLYGON, POLYGON[1:] + POLYGON[:1], strict=True)))
BLUE, AMBER, INK, SOFT = (drawing.LIGHT[name] for name in ("blue", "amber", "ink", "soft"))


def masks():
    """Return the mask of each edge that crosses the row, by the number of the edge."""
    x = range(FIRST, FIRST + LANES)
    rows = {
        number: np.array([reference.toggles(each, ROW, *edge) for each in x])
        for number, edge in EDGES.items()
        if min(edge[0][1], edge[1][1]) < ROW <= max(edge[0][1], edge[1][1])
    }
    expected = [inside_polygon(each, ROW, POLYGON, border_value=True) for each in x]
    assert np.array_equal(np.logical_xor.reduce(list(rows.values())), expected)
    return rows


def strip(axes, top, bits, colour, text):
    """Draw one cell per pixel, filled where its bit is 1, with a text to the left."""
    axes.text(FIRST - 0.7, top + HIGH - 5, text, ha="right", color=colour)
    changes = np.flatnonzero(np.diff(np.r_[0, bits, 0]))
    runs = [(FIRST - 0.5 + begin, end - begin) for begin, end in changes.reshape(-1, 2)]
    grid = drawing.LIGHT["grid"]
    axes.broken_barh([(FIRST - 0.5, LANES)], (top, HIGH - 1), facecolor=grid, linewidth=0)
    axes.broken_barh(runs, (top, HIGH - 1), facecolor=colour, linewidth=0)


@drawing.chart
def draw():
    """Return the figure: the pixels with the edges between them, and below them the masks."""
    rows = masks()
    height = TOP + ZOOM + 30 + len(rows) * (2 * HIGH + 10)
    figure = drawing.figure(WIDTH, height)
    margins = {"left": LEFT, "right": WIDTH - LEFT - LANES * CELL}
    image = drawing.axes(figure, **margins, top=TOP, bottom=height - TOP - ZOOM)
    axes = drawing.axes(figure, **margins, top=0, bottom=0)
    sides = FIRST - 0.5, FIRST + LANES - 0.5
    upper, lower = ROW - ZOOM / CELL / 2, ROW + ZOOM / CELL / 2
    image.set(xlim=sides, ylim=(lower, upper), xticks=[], yticks=[])
    axes.set(xlim=sides, ylim=(height, 0))
    axes.axis("off")
    axes.text(FIRST - 0.7, TOP - 7, "edge", ha="right", color=SOFT)
    axes.text(FIRST - 0.7, TOP + ZOOM / 2 + 4, f"row {ROW}", ha="right")
    image.axhline(ROW, color=drawing.LIGHT["grid"])
    image.plot(range(FIRST, FIRST + LANES), [ROW] * LANES, "o", color=INK)
    for number in rows:
        x, y = zip(*sorted(EDGES[number], key=lambda vertex: vertex[1]), strict=True)
        image.plot(x, y, color=AMBER, linewidth=2)
        above = max(np.interp(upper, y, x), FIRST - 0.3)
        axes.text(above, TOP - 7, number, ha="center", color=SOFT)
    for lane in range(LANES):
        axes.text(FIRST + lane, TOP + ZOOM + 17, FIRST + lane, ha="center")
    axes.text(FIRST - 0.7, TOP + ZOOM + 17, "x", ha="right")
    top, inside = TOP + ZOOM + 28, np.zeros(LANES, bool)
    for number, mask in rows.items():
        inside ^= mask
        strip(axes, top, mask, AMBER, f"edge {number}")
        strip(axes, top + HIGH, inside, BLUE, "inside")
        top += 2 * HIGH + 10
    for x in range(FIRST + 1, FIRST + LANES):
        axes.plot([x - 0.5] * 2, [TOP + ZOOM + 28, top], color=drawing.LIGHT["paper"], linewidth=1)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
