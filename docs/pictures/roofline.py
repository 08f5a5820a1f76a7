"""Draw the roofline of a machine, with every rung of a committed result on it.

python docs/pictures/roofline.py

Operations, bytes and prices are those that `polymask explain` counts and measures.
"""

from pathlib import Path

import numpy as np

from ladder.cost import limits
from ladder.report import results
from ladder.report.charts import drawing

RESULT = Path(__file__).resolve().parents[2] / "results/2026-11-22-intel-xeon.json"
PEAKS = {"multiply_s": "scalar", "multiply_vector_s": "in vector registers"}
UNITS = {1e7: "10 M", 1e8: "100 M", 1e9: "1 G", 1e10: "10 G", 1e11: "100 G"}
BINDS = {"memory": "blue", "arithmetic": "vermilion", "calls": "purple", "launch": "amber"}
LABELS_AT, LABEL_STEP = 1300, 1.33  # x of the labels, and the least ratio of their heights


def point(row_limits):
    """Return the operations per byte, and the operations per second of a rung."""
    named = {limit.name: limit for limit in row_limits.all}
    operations = sum(item.number for item in named["arithmetic"].bill)
    moved = sum(item.number for item in named["memory"].bill)
    return operations / moved, operations / row_limits.row.median_s


def roofs(result):
    """Return the bytes per second of one core, and its operations per second for `PEAKS`."""
    prices = result.yardstick.prices
    return 1 / prices["byte_s"], {label: 1 / prices[price] for price, label in PEAKS.items()}


def spread(heights):
    """Return heights for labels, at least `LABEL_STEP` apart, as near as possible to those given.

    The heights are sorted, the largest first.
    """
    logs, step = np.log(heights), np.log(LABEL_STEP)
    groups = []  # [the sum of wanted tops, number of labels]
    for log in logs:
        groups.append([log, 1])
        while len(groups) > 1 and groups[-2][0] / groups[-2][1] - groups[-2][1] * step < (
            groups[-1][0] / groups[-1][1]
        ):
            total, number = groups.pop()
            groups[-1][0] += total + number * groups[-1][1] * step
            groups[-1][1] += number
    tops = [total / n - step * place for total, n in groups for place in range(n)]
    return np.exp(tops)


@drawing.chart
def draw():
    """Return the figure: the roofs, and a labelled dot for each rung."""
    result = results.load(RESULT)[0]
    rungs = {key: (point(each), each) for key, each in limits.of_result(result).items()}
    rungs = dict(sorted(rungs.items(), key=lambda rung: -rung[1][0][1]))
    figure = drawing.figure(480, 560)
    axes = drawing.axes(figure, 50, 152, 62, 46)
    axes.set(xscale="log", yscale="log", xlim=(0.03, 1000), ylim=(2e6, 2e11))
    draw_roofs(axes, *roofs(result))
    tops = spread([y for (_, y), _ in rungs.values()])
    for (key, ((x, y), row_limits)), top in zip(rungs.items(), tops, strict=True):
        colour = drawing.LIGHT[BINDS[row_limits.largest.name]]
        axes.plot([x, LABELS_AT], [y, top], color=drawing.LIGHT["grid"], zorder=1, clip_on=False)
        axes.plot(x, y, "o", color=colour, markersize=6)
        axes.text(LABELS_AT, top, f" {key}", color=colour, va="center", size=13)
    axes.set_xlabel("operations per byte", size=13)
    drawing.decades(axes.xaxis, lambda value: f"{value:g}")
    drawing.decades(axes.yaxis, lambda value: UNITS[value])
    axes.tick_params(labelsize=13)
    drawing.title(figure, "Operations per second; colour: the largest limit of the rung")
    handles = [
        axes.plot([], [], "o", color=drawing.LIGHT[colour], label=name)[0]
        for name, colour in BINDS.items()
    ]
    drawing.legend(figure, handles, 30, ncols=4, fontsize=13, handletextpad=0, columnspacing=1)
    return figure


def draw_roofs(axes, bandwidth, peaks):
    """Draw the slope of memory, and a level for each peak of arithmetic."""
    ink, low, high = drawing.LIGHT["ink"], *axes.get_xlim()
    for label, peak in peaks.items():
        axes.plot([peak / bandwidth, high], [peak, peak], color=ink, linewidth=2, zorder=2)
        axes.text(peak / bandwidth * 1.6, peak * 1.1, label, size=13)
    ridge = max(peaks.values()) / bandwidth
    axes.plot([low, ridge], [low * bandwidth, ridge * bandwidth], color=ink, linewidth=2, zorder=2)


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
