"""Draw the parts of calls on a GPU: kernel, launch, fresh pages and copy.

python 9_scanline/pictures/parts.py

The times are those of a committed result. The parts are those that `polymask explain` prints.
"""

from pathlib import Path

from ladder.cost import device_call
from ladder.report import results
from ladder.report.charts import drawing
from polymask.common import figures

RESULT = Path(__file__).resolve().parents[2] / "results/2026-11-26-nvidia-h100-8192.json"
ON_GPU, ON_HOST = ("opencl.pixels", "numba.gpu", "scanline.opencl"), "scanline.engine"
PARTS = {  # name: text, colour
    "kernel": ("kernel", "vermilion"),
    "launch": ("launch", "ink"),
    "pages": ("fresh pages", "amber"),
    "copy": ("copy to the host", "sky"),
}
WIDTH, BAR, STEP, SIDE = 400, 14, 40, 8  # pixels of the picture


def calls():
    """Return a text and the parts, pairs of seconds and a colour, of each call."""
    (result,) = results.load(RESULT)
    for key in ON_GPU:
        seconds = {part.name: part.seconds for part in device_call.parts(result, key)}
        text = f"{key}: {figures.seconds(result.row(key).median_s)}"
        kernel = figures.seconds(seconds["kernel"])
        yield f"{text}, kernel {kernel}", [(seconds[p], PARTS[p][1]) for p in PARTS]
    host_s = result.row(ON_HOST).median_s
    yield f"{ON_HOST}, one core: {figures.seconds(host_s)}", [(host_s, "green")]


@drawing.chart
def draw():
    """Return the figure: a bar of parts for each call, and the colours below."""
    from matplotlib.patches import Rectangle

    lines = list(calls())
    height = STEP * len(lines) + 34
    figure = drawing.figure(WIDTH, height)
    axes = drawing.axes(figure, SIDE, SIDE, 0, 0)
    axes.set(xlim=(0, WIDTH - 2 * SIDE), ylim=(height, 0))
    axes.axis("off")

    def box(left, y, wide, high, colour):
        axes.add_patch(Rectangle((left, y), wide, high, color=drawing.LIGHT[colour], linewidth=0))

    scale = (WIDTH - 2 * SIDE) / max(sum(s for s, _ in parts) for _, parts in lines)
    for line, (text, parts) in enumerate(lines):
        left, y = 0, STEP * line + 20
        axes.text(0, y - 4, text)
        for seconds, colour in parts:
            box(left, y, seconds * scale, BAR, colour)
            left += seconds * scale
    left, y = 0, height - 22
    for text, colour in PARTS.values():
        box(left, y, 12, 12, colour)
        axes.text(left + 17, y + 11, text)
        left += 34 + drawing.width(text)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
