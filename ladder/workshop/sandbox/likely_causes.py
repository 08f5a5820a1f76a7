"""The likely cause of a wrong mask, from what its wrong pixels have in common."""

import contextlib
import random

import numpy as np

from ladder.workshop import concepts
from ladder.workshop.sandbox import cases, child

SINGLE = (
    "; these are the pixels of single precision (`float`, float32): compute coordinates and "
    f"crossings in double precision (`double`, float64) {concepts.EXACT}"
)
VERTEX_ROWS = (
    "; all of them are in rows with a vertex, where an edge includes its end with the larger y, "
    f"but not the other {concepts.RULE}"
)
ON_VERTICES = f"; all of them are vertices, whose value is border_value {concepts.RULE}"
ON_EDGES = f"; all of them are on the border, where the conditions decide {concepts.RULE}"
# Types of masks in single precision: stored vertices, vertices in use, pixels, crossing.
VARIANTS = (
    (np.float32, np.float32, np.float64, np.float64),  # `float x1, y1, x2, y2`
    (np.float32, np.float64, np.float64, np.float64),
    (np.float32, np.float32, np.float32, np.float32),
    (np.float64, np.float64, np.float64, np.float32),
)


def of(answer, case, got, right):
    """Return what the wrong pixels of a mask have in common, or an empty text."""
    if is_single(answer, case, got):
        return SINGLE
    vertices, (rows, cols) = np.array(case.vertices, float), np.nonzero(got != right)
    if not np.isin(got, (0, 1)).all() or not got.any():
        return ""
    if set(zip(cols, rows, strict=True)) <= set(map(tuple, vertices)):
        return ON_VERTICES
    if np.isin(rows, vertices[:, 1]).all() and not np.isin(np.arange(len(got)), rows).all():
        return VERTEX_ROWS
    return ON_EDGES if on_edges(vertices, rows, cols) else ""


def on_edges(vertices, rows, cols):
    """Return whether each pixel lies exactly on an edge."""
    (x1, y1), (x2, y2) = vertices.T[..., None], np.roll(vertices, -1, axis=0).T[..., None]
    with np.errstate(over="ignore"):  # huge coordinates
        products = (cols - x1) * (y2 - y1), (rows - y1) * (x2 - x1)
    is_on_line = (products[0] == products[1]) & np.isfinite(products[0])
    is_beside = (np.minimum(x1, x2) <= cols) & (cols <= np.maximum(x1, x2))
    is_beside &= (np.minimum(y1, y2) <= rows) & (rows <= np.maximum(y1, y2))
    return (is_on_line & is_beside).any(axis=0).all()


def is_single(answer, case, got):
    """Whether a wrong mask, and another that depends on rounding, used single precision."""
    if not (alike := variants(got, case)):
        return False
    another = cases.rounding_case(random.Random(1))
    child.step(f"making a mask of {another.label}")
    with contextlib.suppress(Exception):
        got = answer.make_mask(another.vertices, another.shape, another.border_value)
        return bool(alike & variants(got, another))
    return False


def variants(mask, case):
    """Return the set of numbers of the single-precision variants that give this mask."""
    return {
        n for n, types in enumerate(VARIANTS) if np.array_equal(mask, mask_in_types(case, *types))
    }


def mask_in_types(case, stored, used, pixels, crossing):
    """Return the mask of a case, computed with the rule in these types."""
    shape = case.shape
    with np.errstate(all="ignore"):  # huge coordinates become infinite
        vertices = np.array(case.vertices, float).astype(stored).astype(used)
        y, x = np.indices(shape).astype(pixels)
        inside, on_vertex = np.zeros((2, *shape), bool)
        for (x1, y1), (x2, y2) in zip(vertices, np.roll(vertices, -1, axis=0), strict=True):
            on_vertex |= (x == x1) & (y == y1)
            toggles = (y > min(y1, y2)) & (y <= max(y1, y2)) & (x <= max(x1, x2)) & (y1 != y2)
            if x1 != x2:
                toggles &= x <= ((y - y1) * (x2 - x1) / (y2 - y1) + x1).astype(crossing)
            inside ^= toggles
    inside[on_vertex] = case.border_value
    return inside.view(np.uint8)
