"""Masks in single precision, with which a wrong mask is compared: ``float`` is a usual mistake."""

import numpy as np

# The types in which the vertices are stored and used, of the pixels and of the crossing.
VARIANTS = (
    (np.float32, np.float32, np.float64, np.float64),  # `float x1, y1, x2, y2`
    (np.float32, np.float64, np.float64, np.float64),
    (np.float32, np.float32, np.float32, np.float32),
    (np.float64, np.float64, np.float64, np.float32),
)


def variants(mask, case):
    """Return the variants that give this very mask of a case: a set of numbers."""
    return {
        number
        for number, types in enumerate(VARIANTS)
        if np.array_equal(mask, make(case.vertices, case.shape, case.border_value, *types))
    }


def make(vertices, shape, border_value, stored, used, pixels, crossing):
    """Return the mask by the rule in these types."""
    with np.errstate(all="ignore"):  # huge coordinates become infinite
        vertices = np.array(vertices, float).astype(stored).astype(used)
        y, x = np.indices(shape).astype(pixels)
        inside, on_vertex = np.zeros((2, *shape), bool)
        for (x1, y1), (x2, y2) in zip(vertices, np.roll(vertices, -1, axis=0), strict=True):
            on_vertex |= (x == x1) & (y == y1)
            toggles = (y > min(y1, y2)) & (y <= max(y1, y2)) & (x <= max(x1, x2)) & (y1 != y2)
            if x1 != x2:
                toggles &= x <= ((y - y1) * (x2 - x1) / (y2 - y1) + x1).astype(crossing)
            inside ^= toggles
    inside[on_vertex] = border_value
    return inside.view(np.uint8)
