"""Draw how the engine divides the course's image into bands, for one thread and for two.

python 9_scanline/pictures/bands.py

The bands and their threads are in bands.json; record_bands.py records them. The pixels of the
cache line are those of the mask.
"""

import json
from pathlib import Path

import numpy as np

from ladder.registry.workload import SHAPE, polygon
from ladder.report.charts import drawing
from ladder.scanline.rows import make_mask

DATA = Path(__file__).with_suffix(".json")
THREADS = (1, 2)
WIDTH, IMAGE, LEFT, WORD = 376, 128, 196, 64  # pixels; of the second image; bits
INK = drawing.LIGHT["ink"]
COLOURS = [drawing.LIGHT[name] for name in ("blue", "amber")]


def changing_word(first, rows):
    """Return the pixels of the word in these rows that has the most changes."""
    words = make_mask(polygon(), SHAPE)[first : first + rows].reshape(-1, WORD)
    return words[np.argmax((words[:, 1:] != words[:, :-1]).sum(axis=1))]


def image(axes, left, call, top=22):
    """Draw the image with its bands in the colours of their threads, and the polygon."""
    scale, bands = IMAGE / SHAPE[0], call["bands"]
    threads = 1 + max(band["thread"] for band in bands)
    size = f"{bands[0]['buffer_bytes'] >> 10} KiB"
    axes.text(left, 12, f"{threads} thread{'s' * (threads > 1)}, {len(bands)} bands of {size}")
    for band in bands:
        y, height = top + scale * (call["box"][0] + band["first"]), scale * band["rows"]
        axes.bar(left + IMAGE / 2, height, IMAGE, y, color=COLOURS[band["thread"]], alpha=0.45,
                 edgecolor=INK, linewidth=1)  # fmt: skip
        label = f"thread {band['thread']}" if threads > 1 else f"{band['rows']} rows"
        axes.text(left + IMAGE + 5, y + height / 2, label, va="center", size=11)
    x, y = scale * np.vstack((polygon(), polygon()[:1])).T
    axes.plot(left + x, top + y, color=INK, linewidth=0.6)
    axes.bar(left + IMAGE / 2, IMAGE, IMAGE, top, facecolor="none", edgecolor=INK, linewidth=0.6)


@drawing.chart
def draw():
    """Return the figure: the two images, and below them a band and a word, to scale in bytes."""
    calls = json.loads(DATA.read_text(encoding="utf-8"))
    figure = drawing.figure(WIDTH + 24, 368)
    axes = drawing.axes(figure, 12, 12, 6, 6)
    axes.set(xlim=(0, WIDTH), ylim=(356, 0))
    axes.axis("off")
    for threads, left in zip(THREADS, (0, LEFT), strict=True):
        image(axes, left, calls[str(threads)])
    call = calls["1"]
    band, grey = call["bands"][1], drawing.LIGHT["grid"]
    bits, rows, cols = band["stride"], band["rows"], SHAPE[1]
    kib = f"{band['buffer_bytes'] >> 10} KiB", f"{rows * cols >> 10} KiB"
    for y, text, length, colour in (
        (178, f"a band: {rows} x {bits} bits, {kib[0]} in the first-level cache", 8, COLOURS[0]),
        (220, f"its part of the mask: {rows} x {cols} bytes, {kib[1]}", 1, grey),
        (270, f"one of its {rows * bits // WORD} words: {WORD} bits, {WORD // 8} bytes", 8,
         COLOURS[0]),
        (312, f"its cache line of the mask: {WORD} bytes, stored once", 1, "none"),
    ):  # fmt: skip
        axes.text(0, y, text)
        axes.bar(0, 16, WIDTH / length, y + 6, align="edge", color=colour, alpha=0.45,
                 edgecolor=INK, linewidth=1)  # fmt: skip
    pixels, step = changing_word(call["box"][0] + band["first"], rows), WIDTH / WORD
    runs = np.flatnonzero(np.diff(pixels, prepend=0, append=0)).reshape(-1, 2)
    for across, y in ((step / 8, 276), (step, 318)):
        axes.broken_barh([(across * a, across * (b - a)) for a, b in runs], (y, 16),
                         color=COLOURS[0], linewidth=0)  # fmt: skip
    dashes = (0.25 / 16, (0.5 / 16, (step - 0.5) / 16))  # between the bytes
    axes.plot((0, WIDTH), (326, 326), color=INK, linewidth=16, linestyle=dashes,
              dash_capstyle="butt")  # fmt: skip
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
