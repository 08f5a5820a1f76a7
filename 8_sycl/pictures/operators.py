"""Draw the time of each operator of sycl.array for one edge, in dpnp and in NumPy.

python 8_sycl/pictures/operators.py             # draw the recorded times
python 8_sycl/pictures/operators.py --measure   # record them again, which needs dpnp

The operators are timed while `of_arrays` of dpnp_array.py runs, with arrays that wait for
the device after each operator. Other programs may use the same cores, so the shortest of many times
is recorded, in operators.json.
"""

import argparse
import datetime
import inspect
import json
import operator
import time
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np

from polymask.report.charts import drawing

HERE = Path(__file__).resolve().parent
DATA = HERE / "operators.json"
SIZE, CALLS = 1024, 100
TRIANGLE = [(30, 50), (900, 200), (400, 990)]
SIGNS = {
    "eq": "==", "gt": ">", "le": "<=", "and": "&", "sub": "-", "mul": "*", "truediv": "/",
    "add": "+", "ior": "|=", "iand": "&=", "ixor": "^=",
}  # fmt: skip
HIGH, BAR = 16, 62  # height of a line, and width of a bar of 1 ms, pixels


class Timed:
    """An array that records each operator: line, sign, elements of the result, seconds."""

    def __init__(self, array, wait, records):
        self.array, self.wait, self.records = array, wait, records

    def __getitem__(self, key):
        """Return a view."""
        return Timed(self.array[key], self.wait, self.records)

    def __setitem__(self, key, value):
        """Write to elements, which is not timed."""
        self.array[getattr(key, "array", key)] = value

    def view(self, dtype):
        """Return the array itself, with another type."""
        return self.array.view(dtype)


def timed(name):
    """Return the method for an operator."""
    function = getattr(operator, f"__{name}__")

    def method(self, other):
        begin = time.perf_counter()
        result = function(self.array, getattr(other, "array", other))
        self.wait()
        seconds = time.perf_counter() - begin
        line = inspect.currentframe().f_back.f_lineno
        self.records.append((line, SIGNS[name], result.size, seconds))
        return Timed(result, self.wait, self.records)

    return method


for _name in SIGNS:
    setattr(Timed, f"__{_name}__", timed(_name))


def operators(library, wait, **place):
    """Return the lines, signs, elements and shortest seconds of the operators of the first edge."""
    from polymask.sycl import dpnp_array

    calls = []
    for _ in range(CALLS):
        calls.append([])

        def wrapped(function, records=calls[-1]):
            return lambda *shape, dtype, **_: Timed(
                function(*shape, dtype=dtype, **place), wait, records
            )

        names = {name: wrapped(getattr(library, name)) for name in ("zeros", "arange")}
        fake = SimpleNamespace(float64=library.float64, uint8=library.uint8, **names)
        with mock.patch.object(dpnp_array, "dpnp", fake):
            dpnp_array.of_arrays(TRIANGLE, SIZE, SIZE, True)
    edge = len(calls[0]) // len(TRIANGLE)
    return [
        (*records[0][:3], min(record[3] for record in records))
        for records in list(zip(*calls, strict=True))[:edge]
    ]


def measure():
    """Record the times in operators.json."""
    import dpnp

    from polymask.bench import machine
    from polymask.sycl import dpnp_array

    lines = inspect.getsource(dpnp_array).splitlines()
    queue = dpnp_array.queue()
    in_dpnp = operators(dpnp, queue.wait, sycl_queue=queue)
    in_numpy = operators(np, lambda: None)
    records = [
        [lines[line - 1].strip(), sign, elements, round(1e6 * first), round(1e6 * second)]
        for (line, sign, elements, first), (*_, second) in zip(in_dpnp, in_numpy, strict=True)
    ]
    data = {
        "processor": machine.cpu_model(),
        "dpnp": dpnp.__version__,
        "numpy": np.__version__,
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "line, operator, elements, microseconds in dpnp and in NumPy": records,
    }
    text = json.dumps(data).replace("[[", "\n[[").replace("], [", "],\n[")
    DATA.write_text(text + "\n", encoding="utf-8")


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
    parser = argparse.ArgumentParser(description="Draw the operators.")
    parser.add_argument("--measure", action="store_true", help="record the times again first")
    if parser.parse_args().measure:
        measure()
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
