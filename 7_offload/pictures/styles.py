"""Draw the time of a mask on a GPU in three styles, alone and in a batch, from a committed result.

python 7_offload/pictures/styles.py
"""

import json
from pathlib import Path

from polymask.report import figures
from polymask.report.charts import drawing

RESULT = Path(__file__).resolve().parents[2] / "results/2026-11-26-nvidia-h100.json"
KEYS = "offload.copy", "offload.bound", "offload.stream"
WIDTH, BAR, STEP, HEADING = 400, 14, 40, 18  # pixels of the picture
SIDE = 8  # margin


def times(rows, key):
    """Return the seconds of a mask for each way, and those of the kernel."""
    row = rows[key]
    count = row["batch"]["polygons"]
    ways = {"one mask": row["median_s"], f"each of {count} masks": row["batch"]["mask_s"]}
    return ways, row["kernel_s"]


@drawing.chart
def draw():
    """Return the figure: two bars for each style, in which the kernel is marked."""
    from matplotlib.patches import Rectangle

    result = json.loads(RESULT.read_text(encoding="utf-8"))
    rows = {row["key"]: row for row in result["rows"]}
    record = {key: times(rows, key) for key in KEYS}
    longest = max(max(ways.values()) for ways, _ in record.values())
    scale = (WIDTH - 2 * SIDE) / longest
    group = HEADING + 2 * STEP + 8
    height = group * len(KEYS) + 34
    figure = drawing.figure(WIDTH, height)
    axes = drawing.axes(figure, SIDE, SIDE, 0, 0)
    axes.set(xlim=(0, WIDTH - 2 * SIDE), ylim=(height, 0))
    axes.axis("off")
    kernel, rest = drawing.LIGHT["vermilion"], drawing.LIGHT["sky"]
    for number, (key, (ways, part)) in enumerate(record.items()):
        top = group * number + 18
        axes.text(0, top, f"{key}: kernel {figures.seconds(part)}", weight="bold")
        for line, (way, whole) in enumerate(ways.items()):
            y = top + HEADING + 4 + STEP * line
            axes.text(0, y - 4, f"{way}: {figures.seconds(whole)}")
            for seconds, colour in ((whole, rest), (part, kernel)):
                axes.add_patch(Rectangle((0, y), seconds * scale, BAR, color=colour, linewidth=0))
    left, y = 0, height - 22
    for name, colour in {"kernel": kernel, "copies, calls and waiting": rest}.items():
        axes.add_patch(Rectangle((left, y), 12, 12, color=colour, linewidth=0))
        axes.text(left + 17, y + 11, name)
        left += 34 + drawing.width(name)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
