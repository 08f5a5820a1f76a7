"""Draw the calls to the driver for a mask, by sycl.kernel with two kinds of memory and sycl.native.

python 8_sycl/pictures/driver_calls.py

record_driver_calls.py has recorded the calls in driver_calls.json.
"""

import json
from pathlib import Path

from ladder.report.charts import drawing

DATA = Path(__file__).with_suffix(".json")
COLUMNS, STEP = (214, 281, 348), 21  # pixels


@drawing.chart
def draw():
    """Return the figure: a line for each function, and a square for each call."""
    recorded = json.loads(DATA.read_text(encoding="utf-8"))["calls"]
    functions = list(dict.fromkeys(name for calls in recorded.values() for name in calls))
    height = 46 + STEP * (len(functions) + 1)
    figure = drawing.figure(400, height)
    axes = drawing.axes(figure, 0, 0, 0, 0)
    axes.set(xlim=(0, 400), ylim=(height, 0))
    axes.axis("off")
    for line, name in enumerate((*functions, "together")):
        axes.text(8, 54 + STEP * line, name, size=11)
    squares = {"blue": [], "vermilion": []}
    for left, (key, calls) in zip(COLUMNS, recorded.items(), strict=True):
        rung, memory = key.split(", ")
        axes.text(left, 16, rung.split(".")[1], weight="bold")
        axes.text(left, 31, memory, size=11)
        for line, name in enumerate(functions):
            places = squares["vermilion" if name.startswith("Enqueue") else "blue"]
            places += [(left + 5 + 14 * n, 50 + STEP * line) for n in range(calls.get(name, 0))]
        axes.text(left, 54 + STEP * len(functions), str(sum(calls.values())), weight="bold")
    for colour, places in squares.items():
        axes.plot(*zip(*places, strict=True), "s", color=drawing.LIGHT[colour], ms=10, mew=0)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
