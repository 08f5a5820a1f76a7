"""Draw how many bytes of mask memset, one thread and sixteen threads write per second.

python 9_scanline/pictures/bandwidth.py

The times are those of a committed result, a sweep over the size of the image.
"""

import json
from pathlib import Path

from ladder.report.charts import drawing

RESULT = "2026-11-26-nvidia-h100-sweep-size.json"
LINES = {  # key in the result: label, colour, style
    "memset": ("memset", "ink", "--"),
    "scanline.engine": ("scanline.engine, 1 thread", "blue", "-"),
    "scanline.threads": ("scanline.threads, 16", "vermilion", "-"),
}


def bandwidths():
    """Return the sizes, and for each of `LINES` the gigabytes of mask per second."""
    file = Path(__file__).resolve().parents[2] / "results" / RESULT
    sweep = json.loads(file.read_text(encoding="utf-8"))
    lines = {key: [] for key in LINES}
    for size, result in zip(sweep["values"], sweep["results"], strict=True):
        seconds = {row["key"]: row["median_s"] for row in result["rows"]}
        seconds["memset"] = result["yardstick"]["memset_fresh_s"]
        for key, line in lines.items():
            line.append(1e-9 * size**2 / seconds[key])
    return sweep["values"], lines


@drawing.chart
def draw():
    """Return the figure: a logarithmic chart with a line per row of the result."""
    sizes, lines = bandwidths()
    figure = drawing.figure(480, 340)
    axes = drawing.axes(figure, 50, 14, 34, 62)
    for key, line in lines.items():
        label, colour, style = LINES[key]
        axes.plot(sizes, line, style, color=drawing.LIGHT[colour], linewidth=2, marker="o",
                  markersize=4, label=label)  # fmt: skip
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(sizes, [str(size) for size in sizes], size=12, rotation=30)
    axes.set_yticks([0.01, 0.1, 1, 10, 100], ["0.01", "0.1", "1", "10", "100"], size=13)
    axes.minorticks_off()
    axes.grid()
    axes.set_xlabel("rows and columns of the image", size=13)
    drawing.title(figure, "GB of mask per second (16 cores, 24 vertices)")
    axes.legend(loc="lower right", fontsize=13)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
