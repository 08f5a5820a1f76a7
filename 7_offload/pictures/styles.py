"""Draw the time of a mask on a GPU in three styles, alone and in a batch, from a committed result.

python 7_offload/pictures/styles.py
"""

import json
from pathlib import Path

from ladder.report.charts import drawing
from polymask.common import figures

RESULT = Path(__file__).resolve().parents[2] / "results/2026-11-26-nvidia-h100.json"
KEYS = "offload.copied", "offload.bound", "offload.stream"
WIDTH, BAR, STEP, SIDE = 400, 14, 40, 8  # pixels of the picture


def rows(file):
    """Return the rows of a result by their keys."""
    return {row["key"]: row for row in json.loads(file.read_text(encoding="utf-8"))["rows"]}


@drawing.chart
def bars(calls):
    """Return a figure with a bar for each call, in which the kernel is marked.

    A call is a text, its seconds, and those of its kernel.
    """
    from matplotlib.patches import Rectangle

    height = STEP * len(calls) + 34
    figure = drawing.figure(WIDTH, height)
    axes = drawing.axes(figure, SIDE, SIDE, 0, 0)
    axes.set(xlim=(0, WIDTH - 2 * SIDE), ylim=(height, 0))
    axes.axis("off")
    kernel, rest = drawing.LIGHT["vermilion"], drawing.LIGHT["sky"]
    scale = (WIDTH - 2 * SIDE) / max(whole for _, whole, _ in calls)
    for line, (text, whole, part) in enumerate(calls):
        y = STEP * line + 20
        axes.text(0, y - 4, f"{text}: {figures.seconds(whole)}, kernel {figures.seconds(part)}")
        for seconds, colour in ((whole, rest), (part, kernel)):
            axes.add_patch(Rectangle((0, y), seconds * scale, BAR, color=colour, linewidth=0))
    left, y = 0, height - 22
    for name, colour in {"kernel": kernel, "copies, calls and waiting": rest}.items():
        axes.add_patch(Rectangle((left, y), 12, 12, color=colour, linewidth=0))
        axes.text(left + 17, y + 11, name)
        left += 34 + drawing.width(name)
    return figure


def calls():
    """Return two calls for each style: one mask, and each mask of a batch."""
    result = rows(RESULT)
    return [
        call
        for row in map(result.get, KEYS)
        for call in (
            (f"{row['key']}, one mask", row["median_s"], row["kernel_s"]),
            (f"each of {row['batch']['polygons']}", row["batch"]["mask_s"], row["kernel_s"]),
        )
    ]


def draw():
    """Return the figure."""
    return bars(calls())


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
