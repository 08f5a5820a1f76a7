"""Draw the time of each operator of sycl.dpnp_array for one edge, in dpnp and in NumPy.

python 8_sycl/pictures/operators.py

record_operators.py has recorded the times in operators.json.
"""

import json
from pathlib import Path

from ladder.report.charts import drawing

DATA = Path(__file__).with_suffix(".json")
SIZE = 1024  # rows and columns of the image
HIGH, BAR = 16, 62  # height of a line, and width of a bar of 1 ms, pixels


@drawing.chart
def draw():
    """Return the figure: the operators under their lines of code, with a bar for each library."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    *_, records = data.values()
    height = HIGH * (len(records) + len({line for line, *_ in records}) + 4)
    figure = drawing.figure(400, height)
    axes = drawing.axes(figure, 8, 8, 0, 0)
    axes.set(xlim=(0, 384), ylim=(height, 0))
    axes.axis("off")
    colours = drawing.LIGHT["blue"], drawing.LIGHT["vermilion"]
    for row, (name, colour) in enumerate(zip(("dpnp", "NumPy"), colours, strict=True)):
        total = sum(record[3 + row] for record in records) / 1e3
        text = f"{name}: {total:.1f} ms for the {len(records)} operators of one edge"
        axes.text(0, HIGH * (row + 1), text, color=colour, weight="bold")
    top, before = 2.4 * HIGH, None
    for line, sign, elements, *both in records:
        if line != before:
            top += 1.3 * HIGH
            axes.text(0, top, line, size=drawing.SIZE - 2)
            before = line
        top += HIGH
        axes.text(20, top, sign, ha="center")
        for microseconds, colour, offset in zip(both, colours, (-9, -4), strict=True):
            axes.barh(top + offset, BAR / 1e3 * microseconds, 5, left=40, align="edge",
                      color=colour)  # fmt: skip
        size = "image" if elements == SIZE**2 else "row or column"
        text = f"{both[0]:,} and {both[1]:,} µs, {size}"
        axes.text(46 + BAR / 1e3 * max(both), top, text, size=drawing.SIZE - 2)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
