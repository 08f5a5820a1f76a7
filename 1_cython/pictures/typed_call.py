"""Draw how long each part of one pixel takes, in cython.typed and in cclass.polygon.

python 1_cython/pictures/typed_call.py

The times are those of a committed result. Its prices and counts are explained by
`polymask explain KEY --result FILE`, which computes the same limits.
"""

from pathlib import Path

from ladder.report import limits, results
from ladder.report.charts import drawing

RESULT = Path(__file__).resolve().parents[2] / "results/2026-11-22-intel-xeon.json"
WIDTH = 400  # pixels, as on a phone
PARTS = {  # price: colour, name, and the work
    "compiled_call_s": ("vermilion", "call", "find the function by name, box x and y, unbox them"),
    "buffer_s": ("amber", "buffer", "request the vertices' buffer, check it, release it"),
    "rule": ("blue", "rule", "the arithmetic of the 24 edges in C, at least"),
    "rest": ("grey", "rest", "not priced: branches, loads; in cython.typed also % n"),
}


def parts_of(row_limits, pixels):
    """Return the nanoseconds of each part of `PARTS` for one pixel."""
    parts = dict.fromkeys(PARTS, 0.0)
    for limit in row_limits.all:
        if limit.name == "arithmetic":
            parts["rule"] = limit.seconds  # divisions overlap with the other operations
        elif limit.name == "calls":
            parts |= {item.price: item.seconds for item in limit.bill if item.price in parts}
    parts["rest"] = row_limits.row.median_s - sum(parts.values())
    return {name: 1e9 * seconds / pixels for name, seconds in parts.items()}


@drawing.chart
def draw(result):
    """Return the figure: a bar for each rung, to scale, and below them the meaning of the parts."""
    rows, cols = result.workload.shape
    all_limits = limits.of_result(result)
    figure = drawing.figure(WIDTH, 290)
    axes = drawing.axes(figure, 12, 12, 0, 0)
    typed = parts_of(all_limits["cython.typed"], rows * cols)
    axes.set(xlim=(0, sum(typed.values())), ylim=(290, 0))
    axes.axis("off")
    for key, top in (("cython.typed", 30), ("cclass.polygon", 100)):
        parts, left = parts_of(all_limits[key], rows * cols), 0.0
        axes.text(0, top - 8, f"{key}: {sum(parts.values()):.0f} ns for one pixel")
        for name, (colour, *_) in PARTS.items():
            bar = (left, left + parts[name])
            axes.fill_between(bar, top, top + 34, color=drawing.LIGHT[colour], linewidth=0)
            if parts[name] > 10:
                axes.text(sum(bar) / 2, top + 21, f"{parts[name]:.0f}", ha="center",
                          color=drawing.LIGHT["paper"])  # fmt: skip
            left += parts[name]
    unit = sum(typed.values()) / (WIDTH - 24)  # ns per pixel of the drawing
    for number, (colour, name, work) in enumerate(PARTS.values()):
        top = 166 + 32 * number
        axes.fill_between((0, 10 * unit), top, top + 10, color=drawing.LIGHT[colour], linewidth=0)
        axes.text(16 * unit, top + 9, name, weight="bold")
        axes.text(16 * unit, top + 23, work, size=11, color=drawing.LIGHT["soft"])
    return figure


if __name__ == "__main__":
    drawing.save(draw(results.load(RESULT)[0]), Path(__file__).with_suffix(""), ("svg",))
