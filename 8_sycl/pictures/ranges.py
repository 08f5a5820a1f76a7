"""Draw the work items of three launches for one image: OpenCL's, SYCL's, and a wrong one in SYCL.

python 8_sycl/pictures/ranges.py

OpenCL's sizes are those that `opencl.pixels` chooses. The launches in SYCL are real, which needs
dpctl: the mask shows which pixels were written.
"""

import importlib.util
from ctypes import c_int, c_int64
from pathlib import Path

import numpy as np

from ladder.report.charts import drawing

ROOT = Path(__file__).resolve().parents[2]
SHAPE = ROWS, COLS = (4, 7)
WORK_GROUP = (2, 4)
POLYGON = np.array([(-1.0, -1.0), (9.0, -1.0), (9.0, 9.0), (-1.0, 9.0)])  # all pixels are inside
UNWRITTEN = 9  # what the memory contains before the launch
SQUARE, GAP, ABOVE, BELOW = 15, 2, 34, 66  # pixels of the picture; the gap in squares


def in_opencl():
    """Return the global size of lesson 5's launch as (rows, columns)."""
    file = ROOT / "5_opencl/pictures/ndrange.py"
    spec = importlib.util.spec_from_file_location("ndrange", file)
    ndrange = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(ndrange)
    ndrange.SHAPE, ndrange.WORK_GROUP = SHAPE, WORK_GROUP
    (across, down), _ = ndrange.launch()
    return down, across


def written(size):
    """Return which pixels lesson 8's kernel writes if it is launched over a range."""
    from dpctl.memory import MemoryUSMShared

    from ladder.sycl.kernel import kernel, queue

    d_vertices = MemoryUSMShared(POLYGON.nbytes, queue=queue())
    np.frombuffer(d_vertices)[:] = POLYGON.reshape(-1)
    d_mask = MemoryUSMShared(ROWS * COLS, queue=queue())
    mask = np.frombuffer(d_mask, np.uint8).reshape(SHAPE)
    mask[:] = UNWRITTEN
    numbers = c_int64(len(POLYGON)), c_int(1), c_int64(ROWS), c_int64(COLS)
    arguments = [d_vertices, *numbers, d_mask, c_int64(0), c_int64(0)]
    queue().submit_async(kernel(), arguments, list(size)).wait()
    return mask != UNWRITTEN


@drawing.chart
def draw():
    """Return the figure: for each launch, its items and the pixels of the image."""
    from matplotlib.patches import Rectangle

    down, across = in_opencl()
    full, exchanged = (ROWS, COLS), (COLS, ROWS)
    panels = {
        f"OpenCL ({across}, {down})": ((down, across), np.ones(SHAPE, bool)),
        f"SYCL {list(full)}": (full, written(full)),
        f"SYCL {list(exchanged)}": (exchanged, written(exchanged)),
    }
    colours = {
        "item that writes a pixel": drawing.LIGHT["sky"],
        "item without a pixel": drawing.LIGHT["grid"],
        "pixel without an item": drawing.LIGHT["vermilion"],
    }
    writes, idle, missing = colours.values()
    widths = [max(COLS, size[1]) for size, _ in panels.values()]
    wide, high = sum(widths) + GAP * 2, max(ROWS, COLS)
    figure = drawing.figure(wide * SQUARE + 16, high * SQUARE + ABOVE + BELOW)
    axes = drawing.axes(figure, 8, 8, ABOVE, BELOW)
    axes.set(xlim=(0, wide), ylim=(high, 0))
    axes.axis("off")
    left = 0
    for width, (name, (size, pixels)) in zip(widths, panels.items(), strict=True):
        axes.text(left, -0.8, name)
        for y, x in np.ndindex(high, width):
            in_image = y < ROWS and x < COLS
            if in_image and not pixels[y, x]:
                colour = missing
            elif in_image:
                colour = writes
            elif y < size[0] and x < size[1]:
                colour = idle
            else:
                continue
            lines = {"edgecolor": drawing.LIGHT["grey"], "linewidth": 0.5, "clip_on": False}
            axes.add_patch(Rectangle((left + x, y), 1, 1, facecolor=colour, **lines))
        frame = {"fill": False, "edgecolor": drawing.LIGHT["ink"], "linewidth": 2}
        axes.add_patch(Rectangle((left, 0), COLS, ROWS, clip_on=False, **frame))
        left += width + GAP
    for line, (name, colour) in enumerate(colours.items()):
        y = high + 0.6 + 1.25 * line
        axes.add_patch(Rectangle((0, y), 1, 1, facecolor=colour, clip_on=False,
                                 edgecolor=drawing.LIGHT["grey"]))  # fmt: skip
        axes.text(1.5, y + 0.8, name)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
