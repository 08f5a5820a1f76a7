"""Draw the bytes that each operator of python.vectorized reads and writes for one edge.

python 0_python/pictures/passes.py

The operators are recorded while make_mask of vectorized.py runs, with coordinates that report each
operation on them: as it is, with `np.mgrid`, and with the `np.ogrid` of the lesson's exercise.
"""

import inspect
import sys
from pathlib import Path

import numpy as np

from ladder.python import vectorized
from ladder.report.charts import drawing

SIZE = 1024
TRIANGLE = [(30, 50), (900, 200), (400, 990)]
MGRID = "np.mgrid[:rows, :cols].astype(np.float64)"
OGRID = "(axis.astype(np.float64) for axis in np.ogrid[:rows, :cols])"
SIGNS = {
    "equal": "==", "greater": ">", "less_equal": "<=", "bitwise_and": "&", "bitwise_or": "|",
    "bitwise_xor": "^", "subtract": "-", "multiply": "*", "divide": "/", "add": "+",
}  # fmt: skip
HIGH = 16  # height of a line, pixels
RECORDS = []  # of the operators, in order


class Recorder(np.ndarray):
    """An array that records each operator: line, sign, bytes read and written per pixel."""

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        """Record an operator, and apply it."""
        plain = [np.asarray(value) for value in inputs]
        target = {"out": tuple(map(np.asarray, out))} if out else {}
        result = getattr(ufunc, method)(*plain, **target, **options)
        read = sum(value.nbytes for value in plain if value.ndim)
        line = sys._getframe(1).f_lineno
        RECORDS.append((line, SIGNS[ufunc.__name__], read / SIZE**2, result.nbytes / SIZE**2))
        return out[0] if out else result.view(Recorder)


def operators(grid):
    """Return the records of the first edge, with the coordinates from an expression."""
    source = inspect.getsource(vectorized).replace(MGRID, f"(a.view(Recorder) for a in {grid})")
    names = {"Recorder": Recorder}
    exec(compile(source, "vectorized", "exec"), names)
    RECORDS.clear()
    mask = names["make_mask"](TRIANGLE, (SIZE, SIZE))
    assert np.array_equal(mask, vectorized.make_mask(TRIANGLE, (SIZE, SIZE)))
    return RECORDS[: len(RECORDS) // len(TRIANGLE)]


@drawing.chart
def draw():
    """Return the figure: the operators of one edge under their lines of code, and their bytes."""
    lines, both = inspect.getsource(vectorized).splitlines(), [operators(MGRID), operators(OGRID)]
    height = HIGH * (len(both[0]) + len({line for line, *_ in both[0]}) + 4)
    figure = drawing.figure(420, height)
    axes = drawing.axes(figure, 8, 8, 0, 0)
    axes.set(xlim=(0, 404), ylim=(height, 0))
    axes.axis("off")
    totals = [round(sum(read + written for *_, read, written in records)) for records in both]
    looks = zip(("blue", "vermilion"), ("np.mgrid", "np.ogrid"), totals, strict=True)
    for row, (colour, name, total) in enumerate(looks):
        text = f"{name}: {total} bytes per pixel for one edge"
        axes.text(0, HIGH * (row + 1), text, color=drawing.LIGHT[colour], weight="bold")
    top, before = 2.4 * HIGH, None
    for (line, sign, *first), (_, _, *second) in zip(*both, strict=True):
        if line != before:
            top += 1.3 * HIGH
            axes.text(0, top, lines[line - 1].strip().partition("  #")[0], size=drawing.SIZE - 2)
            before = line
        top += HIGH
        axes.text(20, top, sign, ha="center")
        for count, name, offset in ((first, "blue", -9), (second, "vermilion", -4)):
            axes.barh(top + offset, 14 * sum(count), 5, left=40, align="edge",
                      color=drawing.LIGHT[name])  # fmt: skip
        text = " and ".join(f"{sum(count):.0f}" for count in (first, second))
        axes.text(46 + 14 * sum(first), top, text, size=drawing.SIZE - 2)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
