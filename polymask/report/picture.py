"""The polygon and its mask, as the course draws them: an arrow for each edge, over the mask."""

import numpy as np

from polymask import reference
from polymask.report import plot


def polygon(result, stem, formats=("png",)):
    """Draw the polygon of a result and its mask; return the files."""
    plt = plot.pyplot()
    workload = result["workload"]
    vertices = np.asarray(workload["polygon_xy"])
    rows, cols = workload["shape"]
    if rows * cols == 0:
        return []
    mask = reference.mask(vertices, (rows, cols))
    figure, axes = plt.subplots(figsize=(5.4, 5), layout="constrained")
    axes.imshow(mask, cmap="Blues", vmin=0, vmax=2.5, interpolation="nearest")
    edges = np.roll(vertices, -1, axis=0) - vertices
    axes.quiver(
        *vertices.T, *edges.T, angles="xy", scale_units="xy", scale=1, width=0.004, color="#333333"
    )
    axes.plot(*vertices.T, "o", color="#d55e00", markersize=3)
    axes.set_xlabel("x (pixels)")
    axes.set_ylabel("y (pixels)")
    margin = 0.02 * max(rows, cols)
    axes.set_xlim(-margin, cols + margin)
    axes.set_ylim(rows + margin, -margin)
    axes.set_title(f"{len(vertices)} vertices, even-odd rule", loc="left", fontsize=10)
    files = plot.save(figure, stem, formats)
    plt.close(figure)
    return files
