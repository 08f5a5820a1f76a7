"""Areas in rational arithmetic, to compare `coverage` with."""

from fractions import Fraction

import numpy as np


def clip(ring, axis, border, keep_above):
    """Clip a ring at a line (Sutherland and Hodgman) in rational arithmetic."""
    points = []
    for p, q in zip(ring, ring[1:] + ring[:1], strict=True):
        p_in, q_in = ((v[axis] >= border) == keep_above or v[axis] == border for v in (p, q))
        if p_in:
            points.append(p)
        if p_in != q_in:
            part = (border - p[axis]) / (q[axis] - p[axis])
            points.append(tuple(a + part * (b - a) for a, b in zip(p, q, strict=True)))
    return points


def area(ring):
    """Return the signed area."""
    return sum(
        p[0] * q[1] - q[0] * p[1] for p, q in zip(ring, ring[1:] + ring[:1], strict=True)
    ) / Fraction(2)


def signed_areas(ring, shape, offset=(0, 0), center=False):
    """Return the signed area of a ring in each pixel's square: an array of Fractions."""
    half = Fraction(0) if center else Fraction(1, 2)
    ring = [tuple(Fraction(float(v)) + half for v in point) for point in ring]
    areas = np.full(shape, Fraction(0), object)
    for row in range(shape[0]):
        top = Fraction(row + offset[0])
        strip = clip(clip(ring, 1, top, True), 1, top + 1, False)
        for col in range(shape[1]):
            left = Fraction(col + offset[1])
            square = clip(clip(strip, 0, left, True), 0, left + 1, False)
            areas[row, col] = area(square) if len(square) > 2 else Fraction(0)
    return areas
