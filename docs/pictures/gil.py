"""Draw when two Python threads compute, with three rungs: the GIL lets them take turns, or not.

python docs/pictures/gil.py

record_gil.py has recorded the times in gil.json.
"""

import json
from pathlib import Path

from ladder.report.charts import drawing

DATA = Path(__file__).with_suffix(".json")
WIDTH, BAR, STEP, TOP = 400, 18, 78, 30  # pixels of the picture


def end(threads):
    """Return the time at which the last thread ends."""
    return max(thread[-1][1] for thread in threads)


def recorded():
    """Return the recorded spans of each rung's threads."""
    return json.loads(DATA.read_text(encoding="utf-8"))["rungs"]


@drawing.chart
def draw():
    """Return the figure: for each rung, one bar of computing for each thread."""
    rungs = recorded()
    height = TOP + STEP * len(rungs)
    longest = max(map(end, rungs.values()))
    figure = drawing.figure(WIDTH, height + 38)
    axes = drawing.axes(figure, 60, 10, 0, 38)
    axes.set(xlim=(0, longest), ylim=(height, 0), xlabel="ms", yticks=[])
    axes.spines["left"].set_visible(False)
    axes.text(0, 16, "when each of two Python threads computes", weight="bold")
    for number, (key, threads) in enumerate(rungs.items()):
        top = TOP + STEP * number + 26
        axes.text(0, top - 7, key)
        for thread, record in enumerate(threads):
            y = top + thread * (BAR + 4)
            axes.text(-0.015 * longest, y + 14, f"thread {thread}", ha="right")
            colour = drawing.LIGHT[("blue", "amber")[thread]]
            bars = [(begin, stop - begin) for begin, stop in record]
            axes.broken_barh(bars, (y, BAR), facecolor=colour)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
