"""Draw which data cross the border between Python and C, in three rungs, for 2 x 4 pixels.

python 3_cclass/pictures/border.py

The calls and the memory are counted while the rungs run. For cython.typed, a function that counts
takes the place of `inside_polygon`, which `make_mask` looks up by its name for each pixel. The
other two rungs have no Python call in their loops, as `polymask annotate` shows, so their
`make_mask` calls C once. tracemalloc counts the bytes that NumPy allocates.
"""

import tracemalloc
from pathlib import Path

import numpy as np

from ladder.cclass import polygon
from ladder.clib import points
from ladder.cython import typed
from ladder.report.charts import drawing

ROWS, COLS = 2, 4
TRIANGLE = np.array([(-1.0, -1), (7, -1), (-1, 5)])
WIDTH, TALL = 400, 92  # pixels, of the drawing and of a rung
BYTES = 16  # that cross, for a pixel of an arrow's thickness
COLOURS = {"cython.typed": "vermilion", "clib.points": "amber", "cclass.polygon": "blue"}


def calls_of_typed():
    """Return the number of calls from Python to C that cython.typed makes for a mask."""
    rule, calls = typed.inside_polygon, []

    def counted(*arguments):
        calls.append(arguments)
        return rule(*arguments)

    typed.inside_polygon = counted
    try:
        typed.make_mask(TRIANGLE, (ROWS, COLS))
    finally:
        typed.inside_polygon = rule
    return len(calls)


def peak_bytes(module, shape):
    """Return the peak of the memory that NumPy allocates for a mask, without the mask."""
    module.make_mask(TRIANGLE, shape)
    tracemalloc.start()
    try:
        module.make_mask(TRIANGLE, shape)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return peak - shape[0] * shape[1]


def bytes_per_pixel(module):
    """Return the bytes per pixel that a rung allocates in addition to the mask."""
    small, large = (512, 512), (1024, 1024)
    more = peak_bytes(module, large) - peak_bytes(module, small)
    return round(more / (large[0] * large[1] - small[0] * small[1]))


def rungs():
    """Return, for each rung: its key, its calls, the bytes that cross in one, and a note."""
    vertices, point = TRIANGLE.nbytes, 2 * TRIANGLE.itemsize
    built, also = bytes_per_pixel(points), bytes_per_pixel(polygon)
    size = ROWS * COLS * point
    return (
        ("cython.typed", calls_of_typed(), point, "x, y and the vertices' buffer, for each pixel"),
        (
            "clib.points",
            1,
            size + vertices,
            f"all points, for which NumPy builds {built} bytes a pixel",
        ),
        ("cclass.polygon", 1, vertices, f"the vertices; NumPy builds {also} bytes a pixel"),
    )


@drawing.chart
def draw():
    """Return the figure: Python on the left, C on the right, and an arrow for each call."""
    figure = drawing.figure(WIDTH, 24 + 3 * TALL)
    axes = drawing.axes(figure, 0, 0, 0, 0)
    axes.set(xlim=(0, WIDTH), ylim=(24 + 3 * TALL, 0))
    axes.axis("off")
    middle, tint = WIDTH / 2, drawing.LIGHT["tint"]
    axes.text(middle - 8, 17, "Python", ha="right", color=drawing.LIGHT["soft"])
    axes.text(middle + 8, 17, "C", color=drawing.LIGHT["soft"])
    for number, (key, calls, size, data) in enumerate(rungs()):
        top = 24 + number * TALL
        axes.fill_between((0, middle), top, top + 60, color=tint, linewidth=0)
        axes.text(8, top + 16, key, weight="bold")
        axes.text(WIDTH - 8, top + 16, f"calls: {calls}", weight="bold", ha="right")
        colour = drawing.LIGHT[COLOURS[key]]
        for call in range(calls):
            y = top + 22 + 36 * (call + 0.5) / calls
            head = max(2 * size / BYTES, 3.5) / 2
            axes.fill_between((middle - 90, middle + 78), y - size / BYTES / 2,
                              y + size / BYTES / 2, color=colour, linewidth=0)  # fmt: skip
            axes.fill_between((middle + 78, middle + 90), (y - head, y), (y + head, y),
                              color=colour, linewidth=0)  # fmt: skip
        axes.plot((middle, middle), (top, top + 60), color=drawing.LIGHT["ink"], linewidth=1.5)
        axes.text(middle, top + 75, data, size=11, ha="center")
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
