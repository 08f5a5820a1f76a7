"""The polygon and its mask, drawn as in the course: an arrow for each edge, over the mask."""

import numpy as np

from ladder.registry import reference
from ladder.report.charts import drawing

SIZE = 520  # of the picture in pixels
MOST_PIXELS = 1024  # rows or columns of the drawn mask
MOST_ARROWS = 60
MOST_OUTLINE = 1000  # vertices; more of them would hide the mask
FARTHEST = 1e6  # pixels; drawing programs fail with larger coordinates
INSIDE = (63, 134, 196)  # visible in light and dark mode; the outside is transparent


def thinned(result):
    """Return every `step`-th row and column of a result's mask, and the step.

    Division by a power of two scales all numbers of the rule exactly, so these are pixels of the
    mask itself.
    """
    workload, step = result.workload, 1
    rows, cols = workload.shape
    while max(rows, cols) > MOST_PIXELS * step:
        step *= 2
    vertices = np.asarray(workload.polygon_xy, dtype=float)
    return reference.mask(vertices / step, (-(-rows // step), -(-cols // step))), step


def has_outline(result):
    """Return whether the outline can be drawn without hiding the mask."""
    vertices = np.asarray(result.workload.polygon_xy, dtype=float)
    return len(vertices) <= MOST_OUTLINE and np.abs(vertices).max() <= FARTHEST


def has_arrows(result):
    """Return whether each edge shows its direction."""
    return has_outline(result) and len(result.workload.polygon_xy) <= MOST_ARROWS


@drawing.chart
def draw(result):
    """Draw the polygon of a result and its mask; return None for an image without pixels."""
    rows, cols = result.workload.shape
    if rows * cols == 0:
        return None
    mask, step = thinned(result)
    vertices = np.asarray(result.workload.polygon_xy, dtype=float)
    figure = drawing.figure(SIZE, SIZE)
    axes = drawing.axes(figure, 56, 8, 8, 44)
    axes.set_facecolor(drawing.LIGHT["tint"])
    edge = step * np.array(mask.shape) - 0.5
    colours = np.array([(0, 0, 0, 0), (*INSIDE, 255)], np.uint8)  # of outside and inside
    axes.imshow(colours[mask], extent=(-0.5, edge[1], edge[0], -0.5), interpolation="none")
    ink = drawing.LIGHT["ink"]
    if has_arrows(result):
        along = np.roll(vertices, -1, axis=0) - vertices
        whole = {"angles": "xy", "scale_units": "xy", "scale": 1}
        axes.quiver(*vertices.T, *along.T, **whole, width=0.004, color=ink)
        axes.plot(*vertices.T, "o", color=drawing.LIGHT["vermilion"], markersize=4)
    elif has_outline(result):
        axes.plot(*np.vstack([vertices, vertices[:1]]).T, color=ink, linewidth=1)
    margin = 0.03 * max(rows, cols)
    axes.set(xlim=(-margin, cols + margin), ylim=(rows + margin, -margin))
    axes.set(xlabel="x (pixels)", ylabel="y (pixels)")
    axes.locator_params(nbins=5)
    return figure
