"""Draw how many bytes per second NumPy reads, writes and copies, over the size of an array.

python docs/pictures/caches.py
"""

from pathlib import Path

import measure as measuring
import numpy as np

from ladder.report.charts import drawing

SIZES = [2**k for k in range(14, 29)]  # bytes
LINES = {  # name: label, colour, bytes moved for each byte of the array
    "write": ("write: x.fill(1)", "blue", 1),
    "read": ("read: x.max()", "green", 1),
    "new": ("read, and write a new array: x + 1", "vermilion", 2),
}


def measure():
    """Return the size of each cache, and bytes per second for each of `SIZES`."""
    lines = {name: [] for name in LINES}
    for size in SIZES:
        x, doubles = np.ones(size, np.uint8), np.ones(size // 8)
        calls = {"write": lambda: x.fill(1), "read": x.max, "new": lambda: doubles + 1.0}  # noqa: B023
        rounds, repeats = max(5, min(100, 2**27 // size)), max(1, 2**17 // size)
        for name, seconds in measuring.shortest_s(calls, rounds, repeats).items():
            lines[name].append(round(1e-9 * size * LINES[name][2] / seconds, 2))
    return {"caches_kib": caches_kib(), "kib": [size // 1024 for size in SIZES], "gb_per_s": lines}


def caches_kib():
    """Map the level of each cache for data to its size in KiB, as Linux reports it."""
    sizes = {}
    for cache in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = (
            (cache / name).read_text().strip() for name in ("level", "type", "size")
        )
        if kind != "Instruction":
            sizes[level] = int(size.removesuffix("K"))
    return sizes


@drawing.chart
def draw(data):
    """Return the figure: a line for each kind of access, and the sizes of the caches."""
    figure = drawing.figure(480, 330)
    axes = drawing.axes(figure, 44, 26, 32, 58)
    kib = data["kib"]
    for name, (label, colour, _) in LINES.items():
        axes.plot(kib, data["gb_per_s"][name], "o-", color=drawing.LIGHT[colour], linewidth=2,
                  markersize=4, label=label)  # fmt: skip
    axes.set_xscale("log", base=2)
    axes.set(xlim=(kib[0], kib[-1]), ylim=(0, 135), xlabel="size of the array x")
    axes.xaxis.label.set_size(13)
    ticks = kib[::2]
    names = [f"{size} K" if size < 1024 else f"{size // 1024} M" for size in ticks]
    axes.set_xticks(ticks, names, size=12)
    axes.minorticks_off()
    axes.grid(axis="y")
    for level, size in data["caches_kib"].items():
        if size < kib[-1]:
            axes.axvline(size, ymax=0.7, color=drawing.LIGHT["soft"], linestyle="--")
            axes.text(size * 1.08, 1, f"L{level}", color=drawing.LIGHT["soft"], size=13)
    drawing.title(figure, "GB moved per second by one core")
    axes.legend(loc="upper left", bbox_to_anchor=(0.16, 1.03), fontsize=13)
    return figure


if __name__ == "__main__":
    drawing.save(draw(measuring.recorded(__file__)), Path(__file__).with_suffix(""), ("svg",))
