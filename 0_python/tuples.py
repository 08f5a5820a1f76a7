"""The mask in pure Python: a list of (x, y) tuples, and one call per pixel.

The course starts with this file, which is correct and readable but slow. Cython also compiles it,
unchanged, as cython.compiled: without types, the compiled code still works on Python objects, and
saves only the interpreter's work.
"""

import numpy as np

from polymask import contract


def inside_polygon(x, y, vertices, border_value):
    """Return whether the point (x, y) is inside the polygon, by the even-odd rule.

    A point is inside if a ray from it towards larger x crosses the edges an odd number of times. A
    point on a vertex takes `border_value`.
    """
    inside = False
    n = len(vertices)
    for i in range(n):
        j = (i + 1) % n  # the last vertex joins the first
        x1, y1 = vertices[i][0], vertices[i][1]
        x2, y2 = vertices[j][0], vertices[j][1]
        if x == x1 and y == y1:
            inside = border_value
            break
        # half open in y, so that a vertex between two edges is crossed once
        if y > min(y1, y2) and y <= max(y1, y2) and x <= max(x1, x2) and y1 != y2:
            if x1 == x2 or x <= (y - y1) * (x2 - x1) / (y2 - y1) + x1:
                inside = not inside
    return inside


def make_mask(vertices, shape, border_value=True):
    """Return the mask of a polygon.

    Parameters
    ----------
    vertices : array_like, shape (N, 2)
        Columns x and y, in pixels.
    shape : tuple of int
        Rows and columns of the mask.
    border_value : bool
        The value of a pixel that is a vertex.

    Returns
    -------
    ndarray, shape (rows, cols), uint8
        1 inside the polygon, 0 outside.
    """
    # Every rung begins with this check. The vertices are then a float64 array of shape (N, 2).
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    vertices = [(x, y) for x, y in vertices.tolist()]
    mask = np.empty((rows, cols), dtype=np.uint8)
    for y in range(rows):
        for x in range(cols):
            mask[y, x] = inside_polygon(x, y, vertices, border_value)
    return mask
