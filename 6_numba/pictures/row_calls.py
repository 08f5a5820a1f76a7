"""Draw one of the calls that NumPy makes to the kernel of numba.guvectorize, for a small image.

python 6_numba/pictures/row_calls.py

`make_mask` runs with a kernel that records its calls, which NumPy makes by the rung's layout.
"""

import re
from pathlib import Path
from unittest import mock

import numpy as np

from ladder.report.charts import drawing

SHAPE = (4, 6)
POLYGON = np.array([(-1.0, -1.0), (9.0, 1.0), (2.0, 9.0)])
CELL = 18  # pixels
PLACES = {  # left and top of each argument, pixels
    "y": (28, 110),
    "columns": (106, 66),
    "row": (106, 110),
    "vertices": (260, 66),
    "border_value": (260, 165),
}
SHOWN = 2  # the number of the call


def record():
    """Return the arguments of the kernel by their names, and the shapes that each call gets."""
    from ladder.numba import guvectorize

    calls, arguments = [], []

    def fill_row(*inputs):
        assert inputs[0] == len(calls)  # row after row
        row = np.empty(len(inputs[1]), np.uint8)
        calls.append([np.shape(value) for value in (*inputs, row)])
        guvectorize.fill_row(*inputs, row)
        return row

    def kernel(*values):
        arguments.extend(values)
        values[-1][...] = np.vectorize(fill_row, signature=guvectorize.LAYOUT)(*values[:-1])

    with mock.patch.object(guvectorize, "kernel", return_value=kernel):
        guvectorize.make_mask(POLYGON, SHAPE, target="cpu")
    names = guvectorize.fill_row.__code__.co_varnames
    return dict(zip(names, map(np.asarray, arguments), strict=False)), calls


def part(shape, inner, index):
    """Return which elements of an argument belong to the call with this index in NumPy's loop.

    `inner` is the shape of the argument in one call: the last dimensions of its whole shape.
    """
    outer = shape[: len(shape) - len(inner)]
    index = index[len(index) - len(outer) :]  # further dimensions of the loop have one value
    chosen = np.zeros(shape, bool)
    chosen[tuple(min(i, size - 1) for i, size in zip(index, outer, strict=True))] = True
    return chosen


def argument(axes, place, name, text, chosen, label_below=False):
    """Draw an argument: its name, a text, and one square per element, filled if `chosen`."""
    chosen = np.atleast_2d(chosen)
    left, top = place
    for which, face in ((~chosen, "none"), (chosen, drawing.LIGHT["vermilion"])):
        y, x = CELL * (np.argwhere(which).T + 0.5)
        axes.scatter(left + x, top + y, (CELL - 3) ** 2, facecolor=face, marker="s",
                     edgecolor=drawing.LIGHT["soft"], linewidth=1)  # fmt: skip
    y = top + CELL * len(chosen) + 12 if label_below else top - 21
    axes.text(left, y, name, weight="bold")
    axes.text(left, y + 14, text, size=11)


def figure(title, height):
    """Return a figure with a title, and its axes in pixels."""
    result = drawing.figure(400, height)
    axes = drawing.axes(result, 8, 8, 0, 0)
    axes.set(xlim=(0, 384), ylim=(height, 0))
    axes.axis("off")
    axes.text(0, 18, title)
    return result, axes


@drawing.chart
def draw():
    """Return the figure: the elements of each argument, and those that one call gets."""
    from ladder.numba.guvectorize import LAYOUT

    arguments, calls = record()
    result, axes = figure(f"call {SHOWN} of {len(calls)}, with the elements that it gets", 218)
    for (name, value), core, inner in zip(
        arguments.items(), re.findall(r"\([^)]*\)", LAYOUT), calls[SHOWN - 1], strict=True
    ):
        chosen = part(value.shape, inner, (SHOWN - 1,))
        if name == "y":  # drawn as a column, each number beside its row
            chosen = chosen[:, np.newaxis]
        text = f"{value.shape} as {core}"
        argument(axes, PLACES[name], name, text, chosen, label_below=name == "row")
    return result


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
