"""Draw one of the calls that NumPy makes to the kernel of numba.vectorize, for a small image.

python 6_numba/pictures/pixel_calls.py

`make_mask` runs with a ufunc that counts its calls to the rung's own kernel.
"""

from pathlib import Path
from unittest import mock

import numpy as np
import row_calls

from ladder.report.charts import drawing

PIXEL = (1, 2)
PLACES = {  # left and top of each argument, pixels
    "y": (28, 110),
    "x": (106, 66),
    "state": (106, 110),
    "x1": (250, 110),
    "y1": (284, 110),
    "x2": (318, 110),
    "y2": (352, 110),
}


def record():
    """Return for each edge the shapes of the arguments by their names, and the pixels in order."""
    from ladder.numba import vectorize

    edges, pixels = [], []

    def visit(state, x, y, *edge):
        pixels.append((y, x))
        return vectorize.visit(state, x, y, *edge)

    names = vectorize.visit.__code__.co_varnames
    ufunc = np.frompyfunc(visit, len(PLACES), 1)

    def kernel(*arguments, out):
        pixels.clear()
        ufunc(*arguments, out=out, casting="unsafe")
        edges.append((dict(zip(names, map(np.shape, arguments), strict=False)), pixels.copy()))

    with mock.patch.object(vectorize, "kernel", return_value=kernel):
        vectorize.make_mask(row_calls.POLYGON, row_calls.SHAPE)
    return edges


@drawing.chart
def draw():
    """Return the figure: the elements of each argument, and those that one call gets."""
    edges = record()
    (shapes, pixels), *_ = edges
    call = f"call {pixels.index(PIXEL) + 1} of {len(pixels)}"
    title = f"edge 1 of {len(edges)}, {call}, with the elements that it gets"
    result, axes = row_calls.figure(title, 218)
    for name, shape in shapes.items():
        chosen = row_calls.part(shape, (), PIXEL)
        below = name == "state"
        text = f"{shape}, and the result" if below else str(shape)
        row_calls.argument(axes, PLACES[name], name, text, chosen, below)
    return result


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
