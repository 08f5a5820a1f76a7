"""Draw the arrays that clib.points builds for a mask of 2 x 3 pixels, byte by byte.

python 2_clib/pictures/points_in_memory.py

The arrays are made by the lines of points.pyx that make them. Each number is drawn at its place in
memory, as wide as it is: 8 bytes for a coordinate, 1 byte for a pixel of the mask.
"""

import ast
from pathlib import Path

import numpy as np

from ladder.clib.points import make_mask
from ladder.report.charts import drawing

SOURCE = Path(__file__).parents[1] / "points.pyx"
ROWS, COLS = 2, 3
TRIANGLE = [(-1, -1), (4, -1), (-1, 2)]
BYTE, LINE = 8, 48  # pixels for a byte; bytes in a line of the drawing
WIDTH, HEIGHT = BYTE * LINE + 16, 26


def arrays():
    """Return what points.pyx builds: y and x as one array, and the points."""
    names = {"np": np, "rows": ROWS, "cols": COLS}
    for name in ("y, x = np.indices(", "points = np.stack("):
        (line,) = (s for s in SOURCE.read_text(encoding="utf-8").splitlines() if name in s)
        exec(compile(ast.parse(line.strip()), SOURCE, "exec"), names)
    return names["y"].base, names["points"]


def colour_of(array, index):
    """Return blue for an x, green for a y, and grey for a pixel."""
    if array.ndim == 2:
        return "grey"
    is_x = index[-1] == 0 if array.shape[-1] == 2 else index[0] == 1
    return "blue" if is_x else "green"


def draw_bytes(axes, array, top):
    """Draw an array in memory order, and return the lower side."""
    for number, index in enumerate(np.ndindex(array.shape)):
        line, left = divmod(number * array.itemsize, LINE)
        x, y = left * BYTE, top + line * (HEIGHT + 4)
        corners = (x + 1, x + array.itemsize * BYTE - 1)
        colour = drawing.LIGHT[colour_of(array, index)]
        axes.fill_between(corners, y, y + HEIGHT, color=colour, linewidth=0)
        if array.itemsize > 1:
            axes.text(sum(corners) / 2, y + 18, f"{array[index]:g}", ha="center",
                      color=drawing.LIGHT["paper"])  # fmt: skip
    return y + HEIGHT


@drawing.chart
def draw():
    """Return the figure: the three arrays, one below the other."""
    planes, points = arrays()
    mask = make_mask(TRIANGLE, (ROWS, COLS))
    figure = drawing.figure(WIDTH, 276)
    axes = drawing.axes(figure, 8, 8, 0, 0)
    axes.set(xlim=(0, BYTE * LINE), ylim=(276, 0))
    axes.axis("off")
    top = 0
    for name, array, meaning in (
        ("np.indices", planes, "all y (green), then all x (blue)"),
        ("np.stack", points, "the points: x, y, x, y, ..."),
        ("mask", mask, "the result"),
    ):
        axes.text(0, top + 22, f"{name}: {array.nbytes} bytes", weight="bold")
        axes.text(0, top + 37, meaning, size=11, color=drawing.LIGHT["soft"])
        top = draw_bytes(axes, array, top + 44)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
