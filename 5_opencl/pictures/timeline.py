"""Draw when each command of one call of opencl.pixels was queued, submitted and run.

python 5_opencl/pictures/timeline.py

The times are in timeline.json; record_timeline.py records them.
"""

import json
from pathlib import Path

from ladder.devices import Command
from ladder.profiling import timeline
from ladder.report.charts import drawing
from polymask.common import figures

DATA = Path(__file__).with_suffix(".json")
WIDTH, MARGIN, BAR, STEP, TOP = 400, 8, 18, 48, 44  # pixels of the picture
LEAST = 2  # pixels of a run that is too short to be seen
KINDS = {
    "waits in the queue": "amber",
    "waits on the device": "vermilion",
    "runs": "blue",
    "the host works": "grey",
    "the host waits for the mask": "grid",
}


@drawing.chart
def draw():
    """Return the figure: a bar for the host, and one for each command, over the same time."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    commands = [Command(name, *times) for name, *times in data["commands_us"]]
    colours = [drawing.LIGHT[colour] for colour in KINDS.values()]
    queued, submitted, runs, works, waits = colours
    whole = data["whole_us"]
    pixel = whole / (WIDTH - 2 * MARGIN)
    height = TOP + STEP * (len(commands) + 1) + 50
    figure = drawing.figure(WIDTH, height)
    axes = drawing.axes(figure, MARGIN, MARGIN, 0, 0)
    axes.set(xlim=(0, whole), ylim=(height, 0))
    axes.axis("off")

    def lane(number, text, *pieces):
        top = TOP + STEP * number
        axes.text(pieces[0][0], top - 7, text,
                  bbox={"pad": 1, "linewidth": 0, "color": drawing.LIGHT["paper"]})  # fmt: skip
        for begin, end, colour in pieces:
            if end > begin:
                axes.broken_barh([(begin, end - begin)], (top, BAR), color=colour, linewidth=0)

    rows, cols = data["shape"]
    title = f"{rows} x {cols} pixels, PoCL, {data['cores']} cores: {figures.seconds(1e-6 * whole)}"
    axes.text(0, 16, title, weight="bold")
    *_, (fetch, woken) = data["host_queues_us"]
    waiting = figures.seconds(1e-6 * (woken - fetch))
    pieces = (0, fetch, works), (fetch, woken, waits), (woken, whole, works)
    lane(0, f"host: it waits for {waiting} of the call", *pieces)
    for number, each in enumerate(commands, start=1):
        x = min(each.start, whole - LEAST * pixel)
        axes.plot([each.queued] * 2, [TOP, TOP + STEP * number], ":", color=drawing.LIGHT["ink"])
        lane(number, f"{timeline.name(each)}: runs for {figures.seconds(1e-6 * each.ran)}",
             (each.queued, each.submit, queued), (each.submit, x, submitted),
             (x, max(each.end, x + LEAST * pixel), runs))  # fmt: skip
    left, top = 0, TOP + STEP * (len(commands) + 1) - 8
    for name, colour in zip(KINDS, colours, strict=True):
        if left + 20 + drawing.width(name) > WIDTH - 2 * MARGIN:
            left, top = 0, top + 22
        axes.broken_barh([(left * pixel, 12 * pixel)], (top, 12), color=colour, linewidth=0)
        axes.text((left + 17) * pixel, top + 11, name)
        left += 32 + drawing.width(name)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
