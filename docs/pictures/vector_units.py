"""Draw the time of a pixel in scalar code, and in vector registers of three widths.

python docs/pictures/vector_units.py

csrc/rule_simd.h is compiled for registers of each width, with as many pixels at a time as a
register holds. The pixels are those of every 16th row of the course's mask.
"""

import ctypes
import re
from pathlib import Path

import measure as measuring
import numpy as np

from ladder.registry import workload
from ladder.report.charts import drawing

ROUNDS = 200
STEP = 16  # rows
LOOPS = {  # label: function, pixels at a time, instructions, colour
    "one pixel at a time": ("scalar", 2, "-msse2", "grey"),
    "2, SSE2": ("vectors", 2, "-msse2", "blue"),
    "4, AVX2": ("vectors", 4, "-mavx2", "blue"),
    "8, AVX-512": ("vectors", 8, "-mavx512f", "blue"),
    "8, SSE2": ("vectors", 8, "-msse2", "amber"),
}
CODE = r"""
#define target_clones(...) /* one version, for the instructions of the flag */
@rule_simd.h@

void scalar(long rows, long step, long cols, const double *vertices, long n, uint8_t *mask)
{
    for (long row = 0; row < rows; row++)
        for (long x = 0; x < cols; x++)
            mask[row * cols + x] = (uint8_t)inside_polygon(x, step * row, vertices, n, 1);
}

void vectors(long rows, long step, long cols, const double *vertices, long n, uint8_t *mask)
{
    for (long row = 0; row < rows; row++)
        inside_polygon_row(step * row, cols, vertices, n, 1, mask + row * cols);
}
"""


def code(lanes):
    """Return `CODE` with rule_simd.h, in which eight pixels at a time become `lanes`."""
    header = (measuring.CSRC / "rule_simd.h").read_text(encoding="utf-8")
    first = ", ".join(map(str, range(lanes)))
    header = header.replace("{0, 1, 2, 3, 4, 5, 6, 7}", f"{{{first}}}")
    header = re.sub(r"(vector_size\(|column \+= |column < |column : )8", rf"\g<1>{lanes}", header)
    return CODE.replace("@rule_simd.h@", header)


def measure():
    """Return the nanoseconds of a pixel, for each of `LOOPS`."""
    polygon, (rows, cols) = np.ascontiguousarray(workload.polygon()), workload.SHAPE
    mask = np.empty((rows // STEP, cols), np.uint8)

    def call(function, lanes, flag):
        library = measuring.compiled(code(lanes), flag)
        sizes = [ctypes.c_long(n) for n in (rows // STEP, STEP, cols, len(polygon))]
        return lambda: getattr(library, function)(
            *sizes[:3], measuring.address(polygon), sizes[3], measuring.address(mask)
        )

    calls = {name: call(*loop[:3]) for name, loop in LOOPS.items()}
    masks = []
    for fill in calls.values():
        fill()
        masks.append(mask.copy())
    for other in masks[1:]:
        np.testing.assert_array_equal(other, masks[0])
    shortest = measuring.shortest_s(calls, ROUNDS)
    return {"ns": {name: round(1e9 * seconds / mask.size, 2) for name, seconds in shortest.items()}}


@drawing.chart
def draw(data):
    """Return the figure: a bar for each loop."""
    figure = drawing.figure(480, 250)
    axes = drawing.axes(figure, 150, 14, 36, 40)
    longest = max(data["ns"].values())
    axes.set(xlim=(0, 1.25 * longest), ylim=(4.6, -0.6), xlabel="ns per pixel")
    for number, (name, ns) in enumerate(data["ns"].items()):
        axes.barh(number, ns, 0.7, color=drawing.LIGHT[LOOPS[name][3]])
        text = f"{ns:.1f}" + (f", {longest / ns:.1f} times as fast" if number else "")
        axes.text(ns + 0.02 * longest, number, text, va="center", size=13)
    axes.set_yticks(range(len(data["ns"])), data["ns"], size=13)
    axes.tick_params(axis="y", length=0)
    drawing.title(figure, "24 edges, one core, registers of three widths")
    return figure


if __name__ == "__main__":
    drawing.save(draw(measuring.recorded(__file__)), Path(__file__).with_suffix(""), ("svg",))
