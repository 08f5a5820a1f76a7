"""Draw which pixels on an edge are decided correctly, with three ways to compute the crossing.

python docs/pictures/rounding.py

The edge has the slope -1 and ends at whole numbers, so it passes through a pixel of each row. A
fused multiply-add is computed from exact fractions, and rounded once.
"""

from fractions import Fraction
from pathlib import Path

from ladder.report.charts import drawing

SIZE = 60.0  # the edge leads from (SIZE, 0) to (0, SIZE)
WIDTH, TOP, STEP, BAR = 420, 30, 62, 22  # pixels of the picture


def fused(a, b, c):
    """Return a * b + c, rounded once."""
    return float(Fraction(a) * Fraction(b) + Fraction(c))


def crossings():
    """Return, for each way to compute them, the crossings of the rows between the ends."""
    rows, x1, run, rise = range(1, int(SIZE)), SIZE, -SIZE, SIZE
    return {
        "the rule: multiply, divide, add": [y * run / rise + x1 for y in rows],
        "divide, multiply, add": [y / rise * run + x1 for y in rows],
        "divide, fused multiply-add": [fused(y / rise, run, x1) for y in rows],
    }


def correct(values):
    """Return for each row whether its pixel on the edge is not to the right of the crossing."""
    return [SIZE - y <= crossing for y, crossing in enumerate(values, 1)]


@drawing.chart
def draw():
    """Return the figure: for each way, one cell per row of the image."""
    height = TOP + STEP * len(crossings()) + 24
    figure = drawing.figure(WIDTH, height)
    axes = drawing.axes(figure, 10, 10, 0, 24)
    axes.set(xlim=(0.5, SIZE - 0.5), ylim=(height - 24, 0), xticks=range(10, 60, 10), yticks=[])
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0)
    axes.text(0.5, 16, "the pixel on the edge, rows 1 to 59", weight="bold")
    right, wrong = drawing.LIGHT["sky"], drawing.LIGHT["vermilion"]
    for number, (name, values) in enumerate(crossings().items()):
        top = TOP + STEP * number + 24
        cells = correct(values)
        axes.text(0.5, top - 6, f"{name}: {cells.count(False)} wrong")
        axes.bar(range(1, int(SIZE)), BAR, 0.85, top,
                 color=[right if cell else wrong for cell in cells])  # fmt: skip
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
