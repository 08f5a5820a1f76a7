"""Draw the low-level calls of offload.copied for one mask, as the trace of the runtime lists them.

python 7_offload/pictures/calls_of_copy.py
"""

import contextlib
import io
import re
from pathlib import Path
from unittest import mock

from ladder.devices import work_group
from ladder.offload import kind, tracing
from ladder.offload.masks import copied
from ladder.report.charts import drawing

VERTICES = [(40 * x, 40 * x * x % 1000) for x in range(24)]
SHAPE, COORDINATES = (1024, 1024), 2 * 8 * len(VERTICES)  # pixels, and bytes
STEP, LANE = 24, 18  # pixels: the height of a call, and the width of the host and of the device
LANES = 156, 316  # their outer sides
IN, OUT = "transfer_host2device", "transfer_device2host"
COLOURS = {"vertices": "blue", "mask": "vermilion", "kernel": "green"}


def calls(module, count=1):
    """Return (name, bytes, array) of each call for a mask in bands."""
    kind.KIND.check()
    pixels, trace, result = SHAPE[0] * SHAPE[1], io.StringIO(), []
    with (
        mock.patch.object(tracing, "tracing", True),
        mock.patch.object(work_group, "LONG", pixels * len(VERTICES) // count),
        contextlib.redirect_stderr(trace),
    ):
        module.make_mask(VERTICES, SHAPE)
    # The garbage collector's lines end otherwise, and are no calls of the program.
    for name, arguments in re.findall(r": (\w+)\((.*)\).*  took ", trace.getvalue()):
        size = int((re.search(r"\bnbytes=(\d+)", arguments) or (0, 0))[1])
        result.append((name, size, "vertices" if size == COORDINATES else "mask"))
    return result


def draw_call(axes, call, left, right, top):
    """Draw one call between the host's lane, on the left, and the device's lane."""
    name, _, array = call
    inner, low, high = (left + LANE, right - LANE), top + 3, top + STEP - 3
    centre = top + STEP / 2
    if name.startswith("transfer"):  # an arrow
        start, end = inner if name == IN else inner[::-1]
        neck = end - 9 * (1 if end > start else -1)
        axes.fill((start, neck, end, neck, start), (low, low, centre, high, high),
                  color=drawing.LIGHT[COLOURS[array]], linewidth=0)  # fmt: skip
        axes.text((left + right) / 2, centre + 4, array, ha="center", color=drawing.LIGHT["paper"])
    elif name == "invoke":
        axes.fill_between((right - 56, right), low, high, color=drawing.LIGHT[COLOURS["kernel"]],
                          linewidth=0)  # fmt: skip
        axes.text(right - 28, centre + 4, "kernel", ha="center", color=drawing.LIGHT["paper"])
    elif name == "sync":
        axes.text(left + LANE + 4, centre + 4, "host waits", color=drawing.LIGHT["soft"])
    else:
        axes.text(inner[1] - 4, centre + 4, f"for {array}", ha="right")


def lanes(axes, left, right, top, bottom):
    """Draw the host and the device as two vertical lanes with their names above."""
    for x, name, ha in ((left, "host", "left"), (right, "device", "right")):
        axes.text(x, top - 6, name, ha=ha, color=drawing.LIGHT["soft"])
        axes.fill_between((x, x + LANE if ha == "left" else x - LANE), top, bottom,
                          color=drawing.LIGHT["grid"], linewidth=0)  # fmt: skip


@drawing.chart
def draw():
    """Return the figure: a line for each call, with its name, an arrow and its bytes."""
    traced = calls(copied)
    height = 26 + STEP * len(traced) + 6
    figure = drawing.figure(400, height)
    axes = drawing.axes(figure, 0, 0, 0, 0)
    axes.set(xlim=(0, 400), ylim=(height, 0))
    axes.axis("off")
    lanes(axes, *LANES, 26, height - 6)
    for number, call in enumerate(traced):
        top = 26 + STEP * number
        axes.text(6, top + 16, call[0], size=11)
        if call[1]:
            axes.text(394, top + 16, f"{call[1]:,} B", size=11, ha="right")
        draw_call(axes, call, *LANES, top)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
