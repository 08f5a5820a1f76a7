"""Draw which of four threads computes which rows, according to Numba's `get_thread_id`.

NUMBA_NUM_THREADS=4 python 6_numba/pictures/rows_of_threads.py

The polygon is a comb in the upper half of the image, as in lesson 4: all its edges cross every row
there, and none crosses a row below.
"""

import sys
from pathlib import Path

import numba
import numpy as np

from ladder.report.charts import drawing

ROWS = 64
COMB = [(43 * i, i % 2 * ROWS // 2 - 1) for i in range(24)]
LOOPS = {  # the text of the loop, the number of its parts, and its chunk size
    "prange(rows)": (ROWS, 0),
    "the same, parallel_chunksize(2)": (ROWS, 2),
    "prange(threads), every fourth row": (4, 0),
}
COLOURS = [drawing.LIGHT[name] for name in ("blue", "vermilion", "green", "amber")]


@numba.njit(parallel=True)
def thread_ids(rows, parts):
    """Return the number of the thread of each row, where part p is rows p, p + parts, ..."""
    ids = np.empty(rows, np.int64)
    for part in numba.prange(parts):
        for y in range(part, rows, parts):
            ids[y] = numba.get_thread_id()
    return ids


def crossings():
    """Return the number of edges of the comb that cross each row."""
    y1 = np.array(COMB)[:, 1]
    y2, y = np.roll(y1, -1), np.arange(ROWS)[:, np.newaxis]
    return ((np.minimum(y1, y2) < y) & (y <= np.maximum(y1, y2))).sum(axis=1)


def threads_of(loop):
    """Return the number of the thread of each row in one of `LOOPS`."""
    parts, chunk = LOOPS[loop]
    with numba.parallel_chunksize(chunk):
        return thread_ids(ROWS, parts)


@drawing.chart
def draw():
    """Return the figure: the work of each row, and below it the thread of the row."""
    if numba.get_num_threads() != len(COLOURS):
        sys.exit("this picture shows four threads: start it with NUMBA_NUM_THREADS=4")
    figure, cost = drawing.figure(400, 60 + 62 * len(LOOPS)), crossings()
    axes = drawing.axes(figure, 12, 12, 22, 0)
    axes.set(xlim=(0, ROWS), ylim=(38 + 62 * len(LOOPS), 0))
    axes.axis("off")
    axes.text(0, -6, f"work of each row: 0 to {cost.max()} edges cross it")
    axes.fill_between(range(ROWS), 30, 30 - 26 * cost / cost.max(), color=drawing.LIGHT["grey"])
    for number, loop in enumerate(LOOPS):
        threads = threads_of(loop)
        largest = max(cost[threads == thread].sum() for thread in range(4)) / cost.sum()
        top = 62 * number + 62
        axes.text(0, top - 6, f"{loop}: the busiest has {100 * largest:.0f} %")
        colours = [COLOURS[thread] for thread in threads]
        axes.bar(range(ROWS), 26, 1, top, align="edge", color=colours, edgecolor=colours, lw=0.5)
    axes.set(xlim=(0, ROWS), ylim=(38 + 62 * len(LOOPS), 0))
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
