"""Draw which thread computed which rows at what time, for four OpenMP schedules.

python 4_openmp/pictures/schedules.py

The times are in schedules.json; record_schedules.py records them.
"""

import json
from pathlib import Path

from ladder.report.charts import drawing

DATA = Path(__file__).with_suffix(".json")
HALF, THREADS = 512, 2  # rows in each half of the image


@drawing.chart
def draw():
    """Return the figure: for each schedule, one bar of rows for each thread."""
    data = json.loads(DATA.read_text(encoding="utf-8"))["schedules"]
    longest = max(span[-1] for record in data.values() for span in record)
    figure = drawing.figure(480, 68 + 78 * len(data))
    axes = drawing.axes(figure, 62, 14, 0, 36)
    axes.set(xlim=(0, longest), ylim=(32 + 78 * len(data), 0), xlabel="ms", yticks=[])
    axes.spines["left"].set_visible(False)
    upper, lower = drawing.LIGHT["blue"], drawing.LIGHT["amber"]
    for left, colour, text in ((0, upper, "upper half"), (0.3, lower, "lower half of the rows")):
        axes.text(left * longest, 17, "\u25a0", color=colour, size=15)
        axes.text((left + 0.04) * longest, 17, text)
    for number, (name, record) in enumerate(data.items()):
        top = 78 * number + 50
        took = max(span[-1] for span in record)
        busy = [sum(end - begin for who, _, _, begin, end in record if who == thread) / took
                for thread in range(THREADS)]  # fmt: skip
        shares = " and ".join(f"{100 * share:.0f} %" for share in busy)
        axes.text(0, top - 7, f"{name}: {took:.1f} ms, threads 0 and 1 busy {shares}")
        for thread in range(THREADS):
            axes.text(-0.015 * longest, top + 24 * thread + 15, f"thread {thread}", ha="right")
        for thread, first, last, begin, end in record:
            axes.broken_barh([(begin, end - begin)], (top + 24 * thread, 20),
                             facecolor=upper if first < HALF else lower,
                             edgecolor=drawing.LIGHT["paper"], linewidth=0.7)  # fmt: skip
            if last - first > 100:
                axes.text((begin + end) / 2, top + 24 * thread + 15, f"rows {first} to {last}",
                          ha="center", color=drawing.LIGHT["paper"])  # fmt: skip
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
