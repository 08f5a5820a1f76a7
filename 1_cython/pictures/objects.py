"""Draw how long each object of the condition in tuples.py exists in cython.compiled.

python 1_cython/pictures/objects.py

The C code of the line calls Python for each operator, and to release each object. These calls are
in objects.json, in their order, with the C variable that contains the object: record_objects.py
writes them.
"""

import json
import operator
from pathlib import Path

from ladder.report.charts import drawing

DATA = Path(__file__).resolve().with_suffix(".json")
PIXEL_AND_EDGE = {"x": 3, "y": 3, "x1": 2.0, "y1": 1.0, "x2": 8.0, "y2": 5.0}
SIGNS = {
    "Subtract": ("-", operator.sub), "Multiply": ("*", operator.mul),
    "Divide": ("/", operator.truediv), "Add": ("+", operator.add), "Le": ("<=", operator.le),
}  # fmt: skip
WIDTH, LEFT, STEP, TOP = 400, 146, 30, 44  # pixels of the picture


def lives(calls):
    """Return a list of [text, call that creates the object, call that releases it]."""
    alive, result, values = {}, [], dict(PIXEL_AND_EDGE)
    for number, (variable, name, left, right, released) in enumerate(calls):
        if released:
            alive.pop(released)[2] = number
            continue
        sign, function = SIGNS[name]
        texts = [each if each in PIXEL_AND_EDGE else str(values[each]) for each in (left, right)]
        values[variable] = function(values[left], values[right])
        verb = "is" if name == "Le" else "="
        result.append([f"{texts[0]} {sign} {texts[1]} {verb} {values[variable]}", number, number])
        alive[variable] = result[-1]
    return result


@drawing.chart
def draw():
    """Return the figure: a bar for each object, from the call that creates it to its release."""
    _, calls = json.loads(DATA.read_text(encoding="utf-8")).values()
    rows = lives(calls)
    height = TOP + STEP * len(rows) + 28
    figure = drawing.figure(WIDTH, height)
    axes = drawing.axes(figure, LEFT, 12, 0, 0)
    axes.set(xlim=(-0.3, len(calls) - 0.7), ylim=(height, 0))
    axes.axis("off")
    figure.text(8 / WIDTH, 1 - 20 / height, "a pixel and an edge: six objects", weight="bold")
    for row, (text, first, last) in enumerate(rows):
        y = TOP + STEP * row + 10
        axes.text(-0.8, y + 4, text, ha="right")
        colour = drawing.LIGHT["blue" if last > first else "vermilion"]
        axes.plot([first, last], [y, y], color=colour, linewidth=8)
        axes.plot(first, y, "o", color=colour, markersize=12)
    text = f"{len(calls)} calls in the C code \N{RIGHTWARDS ARROW}"
    axes.text(-0.3, height - 14, text, color=drawing.LIGHT["soft"])
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
