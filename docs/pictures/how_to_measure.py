"""Draw all samples of some rows of a committed result, with median, mean and interval.

python docs/pictures/how_to_measure.py
"""

import json
from pathlib import Path

import numpy as np

from ladder.report.charts import drawing

RESULTS = Path(__file__).resolve().parents[2] / "results"
ROWS = (  # result, row, name of the machine
    ("2026-11-22-intel-xeon.json", "cclass.polygon", "quiet"),
    ("2026-11-22-intel-xeon.json", "clib.points", "quiet"),
    ("2026-11-21-amd-epyc.json", "cclass.polygon", "busy"),
    ("2026-11-21-amd-epyc.json", "cclass.cpp", "busy"),
)
BUSY = {"quiet": "blue", "busy": "vermilion"}  # colours


def ratios(name, key):
    """Return the samples of a row and the ends of its interval, divided by its median."""
    result = json.loads((RESULTS / name).read_text(encoding="utf-8"))
    row = next(row for row in result["rows"] if row["key"] == key)
    return (np.array(row[values]) / row["median_s"] for values in ("samples_s", "ci95_s"))


@drawing.chart
def draw():
    """Return the figure: the samples of each row as dots, with its mean and its interval."""
    figure = drawing.figure(480, 330)
    axes = drawing.axes(figure, 124, 14, 58, 44)
    axes.axvline(1, color=drawing.LIGHT["ink"], label="median")
    for number, (name, key, machine) in enumerate(ROWS):
        samples, interval = ratios(name, key)
        colour = drawing.LIGHT[BUSY[machine]]
        heights = number + 0.1 + 0.25 * np.linspace(0, 1, len(samples)) % 0.3  # in order of time
        axes.plot(samples, heights, ".", color=colour, markersize=5, alpha=0.7)
        axes.plot(interval, [number - 0.15] * 2, color=colour, linewidth=7, solid_capstyle="butt")
        axes.plot(samples.mean(), number - 0.15, "D", color=drawing.LIGHT["ink"], markersize=6)
    axes.plot([], [], "D", color=drawing.LIGHT["ink"], label="mean")
    axes.plot([], [], color=drawing.LIGHT["grey"], linewidth=7, label="95 % of the median")
    axes.set(ylim=(len(ROWS) - 0.4, -0.5))
    axes.set_yticks(range(len(ROWS)), [f"{key},\n{machine}" for _, key, machine in ROWS], size=13)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("time / median", size=13)
    axes.grid(axis="x")
    drawing.title(figure, "All samples of four rows")
    drawing.legend(figure, axes.get_legend_handles_labels()[0], 28, ncols=3, fontsize=13)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
