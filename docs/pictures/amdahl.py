"""Draw the speed-up by threads: over their number, and over the size of the image.

python docs/pictures/amdahl.py

The times are those of committed results: rows of a table, and sweeps over the size of the image.
"""

import json
from pathlib import Path

import numpy as np

from ladder.report.charts import drawing

RESULTS = Path(__file__).resolve().parents[2] / "results"
SERIAL = {0: "grey", 0.026: "blue", 0.2: "vermilion"}  # fractions of Amdahl's law, and colours
MEASURED = {  # file: threads
    "2026-11-22-intel-xeon.json": 2,
    "2026-11-26-nvidia-h100.json": 16,
}
SWEEPS = {  # file: row of one thread, row of several, their number, colour
    "2026-11-21-amd-epyc-sweep-size.json": ("cclass.polygon", "openmp.prange", 2, "blue"),
    "2026-11-26-nvidia-h100-sweep-size.json": ("scanline.engine", "scanline.threads", 16, "green"),
}


def read(name):
    """Return a result."""
    return json.loads((RESULTS / name).read_text(encoding="utf-8"))


def times(result):
    """Map the keys of a result's rows to their medians."""
    return {row["key"]: row["median_s"] for row in result["rows"]}


def speedups():
    """Map numbers of threads to the measured speed-up of openmp.prange over cclass.polygon."""
    rows = {threads: read(name)["rows"] for name, threads in MEASURED.items()}
    return {
        threads: row["speedup_before"]
        for threads, of_threads in rows.items()
        for row in of_threads
        if row["key"] == "openmp.prange"
    }


def speedups_by_size(name, one, several):
    """Return the sizes of a sweep at which both rows were measured, and the speed-ups."""
    sweep = read(name)
    pairs = zip(sweep["values"], map(times, sweep["results"]), strict=True)
    sizes = {size: rows[one] / rows[several] for size, rows in pairs if {one, several} <= {*rows}}
    return list(sizes), list(sizes.values())


def draw_threads(axes):
    """Draw Amdahl's law for each of `SERIAL`, and the measured speed-ups."""
    threads = np.arange(1, 17)
    for serial, colour in SERIAL.items():
        law = 1 / (serial + (1 - serial) / threads)
        axes.plot(threads, law, color=drawing.LIGHT[colour], linewidth=2)
        axes.text(16.2, law[-1], f"{100 * serial:g} % serial", color=drawing.LIGHT[colour],
                  va="center", size=13)  # fmt: skip
    axes.plot([*speedups()], [*speedups().values()], "o", color=drawing.LIGHT["ink"], markersize=8,
              clip_on=False)  # fmt: skip
    axes.set(xlim=(1, 16), ylim=(0, 16.5))
    axes.set_xticks([1, 2, 4, 8, 16])
    axes.set_yticks([1, 4, 8, 12, 16])
    axes.set_xlabel("threads", size=13)


def draw_sizes(axes):
    """Draw the speed-up over the size of the image, for each of `SWEEPS`."""
    for name, (one, several, threads, colour) in SWEEPS.items():
        sizes, gains = speedups_by_size(name, one, several)
        axes.plot(sizes, gains, "o-", color=drawing.LIGHT[colour], linewidth=2, markersize=4,
                  label=f"{several}, {threads} threads")  # fmt: skip
    axes.axhline(1, color=drawing.LIGHT["soft"], linestyle="--")
    axes.set_xscale("log", base=2)
    axes.set_ylim(0, 6.5)
    axes.set_xticks(sizes, [str(size) for size in sizes], size=12, rotation=30)
    axes.minorticks_off()
    axes.set_xlabel("rows and columns of the image", size=13)
    axes.legend(loc="upper left", fontsize=13)


@drawing.chart
def draw():
    """Return the figure: two charts, one above the other."""
    figure = drawing.figure(480, 570)
    above, below = drawing.axes(figure, 36, 104, 32, 330), drawing.axes(figure, 36, 14, 316, 60)
    draw_threads(above)
    draw_sizes(below)
    for axes in above, below:
        axes.grid()
    drawing.title(figure, "Speed-up by threads: dots measured, lines by Amdahl's law")
    figure.text(6 / 480, 1 - 290 / 570, "Measured speed-up over the size of the image", va="top")
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
