"""Draws which thread has which rows: Numba is asked, with four threads, by `get_thread_id`.

NUMBA_NUM_THREADS=4 python 6_numba/pictures/rows_of_threads.py

The polygon is a comb in the upper half of the image, as in lesson 4: all its edges cross every row
there, and none a row below.
"""

from pathlib import Path

import numba
import numpy as np

from polymask.report.charts import drawing

ROWS = 64
COMB = [(43 * i, i % 2 * ROWS // 2 - 1) for i in range(24)]
WAYS = {  # what is written, how many parts the loop has, and its chunk
    "prange(rows)": (ROWS, 0),
    "the same, parallel_chunksize(2)": (ROWS, 2),
    "prange(threads), every fourth row each": (4, 0),
}
COLOURS = [drawing.LIGHT[name] for name in ("blue", "vermilion", "green", "amber")]


@numba.njit(parallel=True)
def who(rows, parts):
    """Return the number of the thread that has each row: part p is the rows p, p + parts, ..."""
    found = np.empty(rows, np.int64)
    for part in numba.prange(parts):
        for y in range(part, rows, parts):
            found[y] = numba.get_thread_id()
    return found


def crossings():
    """Return how many edges of the comb cross each row."""
    y1 = np.array(COMB)[:, 1]
    y2, y = np.roll(y1, -1), np.arange(ROWS)[:, np.newaxis]
    return ((np.minimum(y1, y2) < y) & (y <= np.maximum(y1, y2))).sum(axis=1)


def threads_of(way):
    """Return which thread has each row in one of `WAYS`."""
    parts, chunk = WAYS[way]
    with numba.parallel_chunksize(chunk):
        return who(ROWS, parts)


@drawing.chart
def draw():
    """Return the figure: the work of each row, and below it who has the row."""
    from matplotlib.colors import ListedColormap

    figure, cost = drawing.figure(640, 60 + 62 * len(WAYS)), crossings()
    axes = drawing.axes(figure, 12, 12, 22, 0)
    axes.set(xlim=(0, ROWS), ylim=(38 + 62 * len(WAYS), 0))
    axes.axis("off")
    axes.text(0, -6, f"edges that cross each row, 0 to {cost.max()}: the work")
    axes.fill_between(range(ROWS), 30, 30 - 26 * cost / cost.max(), color=drawing.LIGHT["grey"])
    for number, way in enumerate(WAYS):
        threads = threads_of(way)
        most = max(cost[threads == one].sum() for one in range(4)) / cost.sum()
        top = 62 * number + 62
        axes.text(0, top - 6, f"{way}: the busiest thread has {100 * most:.0f} % of it")
        picture = [threads]
        extent = (0, ROWS, top + 26, top)
        axes.imshow(picture, cmap=ListedColormap(COLOURS), vmin=0, vmax=3, extent=extent,
                    aspect="auto", interpolation="nearest")  # fmt: skip
    axes.set(xlim=(0, ROWS), ylim=(38 + 62 * len(WAYS), 0))
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
