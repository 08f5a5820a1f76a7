"""Draw how much of a call the kernel takes on a GPU, from two committed results.

python 5_opencl/pictures/gpu_call.py
"""

import json
from pathlib import Path

from ladder.report.charts import drawing
from polymask.common import figures

RESULTS = Path(__file__).resolve().parents[2] / "results"
FILES = "2026-11-26-nvidia-h100.json", "2026-11-26-nvidia-h100-8192.json"
KEYS = {"openmp.simd": "openmp.simd, 16 cores", "opencl.pixels": "opencl.pixels, H100"}
WIDTH, BAR, STEP, HEADING = 400, 16, 44, 26  # pixels of the picture


def calls(file):
    """Return the size of the image, and for each key the median time and the kernel's time."""
    result = json.loads((RESULTS / file).read_text(encoding="utf-8"))
    rows = {row["key"]: row for row in result["rows"]}
    times = {key: (rows[key]["median_s"], rows[key]["kernel_s"] or 0) for key in KEYS}
    return result["workload"]["shape"], times


@drawing.chart
def draw():
    """Return the figure: for each size, a bar per rung, in which the kernel is marked."""
    from matplotlib.patches import Rectangle

    group = HEADING + STEP * len(KEYS)
    figure = drawing.figure(WIDTH, group * len(FILES) + 34)
    axes = drawing.axes(figure, 8, 8, 0, 0)
    axes.set(xlim=(0, WIDTH - 16), ylim=(group * len(FILES) + 34, 0))
    axes.axis("off")
    kernel, threads, rest = (drawing.LIGHT[name] for name in ("vermilion", "grey", "sky"))
    for number, file in enumerate(FILES):
        (rows, cols), times = calls(file)
        longest = max(whole for whole, _ in times.values())
        top = group * number + 18
        heading = f"{rows} x {cols} pixels (full width: {figures.seconds(longest)})"
        axes.text(0, top, heading, weight="bold")
        for line, (key, (whole, part)) in enumerate(times.items()):
            y = top + HEADING + STEP * line
            text = f"{KEYS[key]}: {figures.seconds(whole)}"
            if part:
                text += f", of which kernel {figures.seconds(part)} ({100 * part / whole:.0f} %)"
            axes.text(0, y - 6, text)
            scale = (WIDTH - 16) / longest
            colour = rest if part else threads
            axes.add_patch(Rectangle((0, y), whole * scale, BAR, color=colour, linewidth=0))
            axes.add_patch(Rectangle((0, y), part * scale, BAR, color=kernel, linewidth=0))
    left, y = 0, group * len(FILES) + 10
    names = {"kernel": kernel, "copies, launch and waiting": rest, "threads": threads}
    for name, colour in names.items():
        axes.add_patch(Rectangle((left, y), 12, 12, color=colour, linewidth=0))
        axes.text(left + 17, y + 11, name)
        left += 34 + drawing.width(name)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
