"""Draw the work items and work-groups that `opencl.pixels` launches for a small image.

python 5_opencl/pictures/ndrange.py

The sizes are those with which `make_mask` calls `opencl.run`. No device is needed, since nothing is
launched: the pixels inside the polygon come from `python.tuples`.
"""

from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np

from ladder.opencl import pixels
from ladder.python import tuples
from ladder.report.charts import drawing

SHAPE = (10, 19)  # rows, columns
WORK_GROUP = (4, 8)
POLYGON = [(1, 1), (17, 0), (14, 9), (9, 4), (3, 8)]
ITEM = (11, 5)  # x, y of the item that is explained
SQUARE, MARGIN, BELOW = 15, 20, 96  # pixels of the picture
DEVICE = SimpleNamespace(max_work_group_size=256)


def launch():
    """Return the global size and the local size of the launch, each as (columns, rows)."""
    names = "cl", "context", "program"
    with (
        mock.patch.multiple(pixels, **dict.fromkeys(names, mock.MagicMock())),
        mock.patch.object(pixels.opencl, "device", return_value=DEVICE),
        mock.patch.object(pixels.opencl, "run") as run,
    ):
        pixels.make_mask(POLYGON, SHAPE, work_group=WORK_GROUP)
    _, _, global_size, local_size, _ = run.call_args.args
    return global_size, local_size


@drawing.chart
def draw():
    """Return the figure: a square for each work item, and a frame around each work-group."""
    from matplotlib.patches import Circle, Rectangle

    (across, down), (width, height) = launch()
    rows, cols = SHAPE
    mask = np.array(tuples.make_mask(POLYGON, SHAPE))
    colours = {
        "pixel inside the polygon": (drawing.LIGHT["blue"], 0.5),
        "pixel outside": drawing.LIGHT["paper"],
        "no pixel": drawing.LIGHT["grid"],
    }
    inside, outside, beyond = colours.values()
    figure = drawing.figure(across * SQUARE + 2 * MARGIN, down * SQUARE + MARGIN + BELOW)
    axes = drawing.axes(figure, MARGIN, MARGIN, MARGIN, BELOW)
    axes.set(xlim=(0, across), ylim=(down, 0))
    axes.axis("off")
    for y, x in np.ndindex(down, across):
        colour = beyond if y >= rows or x >= cols else inside if mask[y, x] else outside
        lines = {"edgecolor": drawing.LIGHT["grey"], "linewidth": 0.5}
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, **lines))
    frame = {"fill": False, "clip_on": False, "edgecolor": drawing.LIGHT["ink"]}
    for y, x in np.ndindex(down // height, across // width):
        axes.add_patch(Rectangle((x * width, y * height), width, height, linewidth=2.5, **frame))
    frame["edgecolor"] = drawing.LIGHT["vermilion"]
    axes.add_patch(Rectangle((0, 0), cols, rows, linewidth=2.5, linestyle=(0, (2, 1)), **frame))
    axes.add_patch(Circle((ITEM[0] + 0.5, ITEM[1] + 0.5), 0.3, color=drawing.LIGHT["ink"]))

    axes.text(0, -0.35, f"x = get_global_id(0), 0 to {across - 1}")
    axes.text(-0.35, down, f"y = get_global_id(1), 0 to {down - 1}", rotation=90, ha="right")
    for line, text in enumerate((
        f"dashed: image, {rows} rows x {cols} columns",
        f"frames: work-groups of {height} rows x {width} columns",
        f"dot: the item x = {ITEM[0]}, y = {ITEM[1]}",
    )):  # fmt: skip
        axes.text(0, down + 1.2 + 1.3 * line, text)
    left = 0
    for name, colour in colours.items():
        axes.add_patch(Rectangle((left, down + 4.6), 1, 1, facecolor=colour, clip_on=False,
                                 edgecolor=drawing.LIGHT["grey"]))  # fmt: skip
        axes.text(left + 1.4, down + 5.45, name)
        left += 2.6 + drawing.width(name) / SQUARE
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
