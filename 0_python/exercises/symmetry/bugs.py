"""Five ways to make a wrong mask. Each mask is right for some polygons."""

import numpy as np

from ladder.python.vectorized import make_mask

BUGS = {
    "exchanged_coordinates": lambda vertices, shape: make_mask(vertices[:, ::-1], shape),
    "exchanged_sizes": lambda vertices, shape: make_mask(vertices, shape[::-1]),
    "upside_down": lambda vertices, shape: make_mask(vertices, shape)[::-1],
    "integer_vertices": lambda vertices, shape: make_mask(vertices.astype(np.int64), shape),
    "clipped_vertices": lambda vertices, shape: make_mask(
        np.clip(vertices, 0, (shape[1] - 1, shape[0] - 1)), shape
    ),
}


def hidden(vertices, shape):
    """Return the names of the bugs with which the mask of this polygon is right."""
    vertices, right = np.array(vertices, float), make_mask(vertices, shape)
    return [name for name, make in BUGS.items() if np.array_equal(make(vertices, shape), right)]
