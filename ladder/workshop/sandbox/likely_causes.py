"""The likely cause of a wrong mask, from what its wrong pixels have in common."""

import numpy as np

from ladder.workshop import concepts
from ladder.workshop.sandbox import cases

ROUNDING = (
    "; all of them are where the rounding of a crossing decides: compute coordinates and crossings "
    "in double precision (`double`, float64), not in single precision, and with the operations of "
    f"the rule in their order {concepts.EXACT}"
)
VERTEX_ROWS = (
    "; all of them are in rows with a vertex, where an edge includes its end with the larger y, "
    f"but not the other {concepts.RULE}"
)
ON_VERTICES = f"; all of them are vertices, whose value is border_value {concepts.RULE}"
ON_EDGES = f"; all of them are on the border, where the conditions decide {concepts.RULE}"
TOLERANCE = 1e-9  # relative, and in pixels


def of(case, got, expected):
    """Return what the wrong pixels of a mask have in common, or an empty text."""
    vertices, (rows, cols) = np.array(case.vertices, float), np.nonzero(got != expected)
    if not np.isin(got, (0, 1)).all() or not got.any():
        return ""
    if set(zip(cols, rows, strict=True)) <= set(map(tuple, vertices)):
        return ON_VERTICES
    if np.isin(rows, vertices[:, 1]).all() and not np.isin(np.arange(len(got)), rows).all():
        return VERTEX_ROWS
    if not on_edges(vertices, rows, cols):
        return ""
    return ROUNDING if case.label.startswith(cases.ROUNDING) else ON_EDGES


def on_edges(vertices, rows, cols):
    """Return whether each pixel lies on an edge."""
    (x1, y1), (x2, y2) = vertices.T[..., None], np.roll(vertices, -1, axis=0).T[..., None]
    with np.errstate(over="ignore", invalid="ignore"):  # huge coordinates
        products = (cols - x1) * (y2 - y1), (rows - y1) * (x2 - x1)
        is_on_line = np.isclose(*products, TOLERANCE, TOLERANCE) & np.isfinite(products[0])
    is_beside = (np.minimum(x1, x2) <= cols) & (cols <= np.maximum(x1, x2))
    is_beside &= (np.minimum(y1, y2) <= rows) & (rows <= np.maximum(y1, y2))
    return (is_on_line & is_beside).any(axis=0).all()
