"""The polygon and its mask: the mask as a PNG inside the page, the outline as a path over it."""

import base64
import io
from dataclasses import dataclass

import numpy as np
from PIL import Image

from polymask import reference

MOST_PIXELS = 1024  # rows or columns of the picture
MOST_ARROWS = 60
MOST_OUTLINE = 1000  # vertices; more would hide the mask
FARTHEST = 1e6  # pixels; beyond, drawing programs lose the numbers
INSIDE = (63, 134, 196)  # stands out from light and from dark; outside is transparent


@dataclass(frozen=True)
class Picture:
    """What the template draws.

    Attributes
    ----------
    png : str
        The mask, as a data URI.
    rows, cols : int
        The image, in pixels.
    step : int
        The picture shows every `step`-th pixel, in both directions.
    vertices : list of tuple of str
        The outline's; empty where it is left out.
    arrows : bool
        Whether each edge shows its direction.
    inside : int
        How many of the picture's pixels are inside.
    shown : int
        How many pixels the picture has.
    """

    png: str
    rows: int
    cols: int
    step: int
    vertices: list
    arrows: bool
    inside: int
    shown: int

    @property
    def path(self):
        """The outline as the path of an SVG."""
        return "M" + "L".join(f"{x} {y}" for x, y in self.vertices) + "Z" if self.vertices else ""


def picture(result):
    """Lay out the polygon of a result; None for an image without pixels."""
    workload = result["workload"]
    rows, cols = workload["shape"]
    if rows * cols == 0:
        return None
    vertices = np.asarray(workload["polygon_xy"], dtype=float)
    step = 1
    while max(rows, cols) > MOST_PIXELS * step:
        step *= 2
    # Divided by a power of two, all that the rule computes is exactly so much smaller: this is
    # every `step`-th pixel of the mask itself.
    mask = reference.mask(vertices / step, (-(-rows // step), -(-cols // step)))
    drawn = len(vertices) <= MOST_OUTLINE and np.abs(vertices).max() <= FARTHEST
    return Picture(
        png=_png(mask),
        rows=rows,
        cols=cols,
        step=step,
        vertices=[(f"{x:.6g}", f"{y:.6g}") for x, y in vertices] if drawn else [],
        arrows=drawn and len(vertices) <= MOST_ARROWS,
        inside=int(np.count_nonzero(mask)),
        shown=mask.size,
    )


def _png(mask):
    """Return a mask as the data URI of a PNG: a colour inside, and nothing outside."""
    image = Image.fromarray(mask).convert("P")
    image.putpalette([*INSIDE, *INSIDE])
    file = io.BytesIO()
    image.save(file, "PNG", bits=1, transparency=0, optimize=True)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")
