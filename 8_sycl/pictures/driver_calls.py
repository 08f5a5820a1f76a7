"""Draw the calls to the driver for a mask, by sycl.kernel with two kinds of memory and sycl.native.

python 8_sycl/pictures/driver_calls.py             # draw the recorded calls
python 8_sycl/pictures/driver_calls.py --record    # record them again, which needs sycl.native

SYCL's runtime prints the calls if SYCL_UR_TRACE is set. They are recorded in driver_calls.json.
"""

import argparse
import collections
import datetime
import json
import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from polymask.report.charts import drawing

DATA = Path(__file__).with_suffix(".json")
CALLS = {
    "sycl.kernel, device": "kernel.make_mask({}, {})",
    "sycl.kernel, shared": "kernel.make_mask({}, {}, memory='shared')",
    "sycl.native, shared": "native.make_mask({}, {})",
}
ARGUMENTS = [(30, 50), (900, 200), (400, 990)], (1024, 1024)
MARK = "the second call"  # the first one also builds the kernel
COLUMNS, STEP = (214, 281, 348), 21  # pixels


def driver_calls(call):
    """Return the number of calls to each function of the driver, in the order of first calls."""
    code = f"""if True:
        from polymask.sycl import kernel, native
        {call}
        print({MARK!r}, flush=True)
        mask = {call}
        print({MARK!r}, flush=True)"""
    command, environment = (sys.executable, "-c", code), {**os.environ, "SYCL_UR_TRACE": "-1"}
    result = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return collections.Counter(re.findall(r"---> ur(\w+)", result.stdout.split(MARK)[1]))


def record():
    """Record the calls in driver_calls.json."""
    data = {
        "dpctl": metadata.version("dpctl"),
        "runtime": metadata.version("intel-sycl-rt"),
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "calls": {name: driver_calls(text.format(*ARGUMENTS)) for name, text in CALLS.items()},
    }
    text = json.dumps(data).replace(': {"', ': {\n"').replace("}, ", "},\n")
    DATA.write_text(text + "\n", encoding="utf-8")


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
    parser = argparse.ArgumentParser(description="Draw the calls to the driver.")
    parser.add_argument("--record", action="store_true", help="record the calls again first")
    if parser.parse_args().record:
        record()
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
