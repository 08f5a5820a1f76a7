"""Affine transforms between the pixels of an image and a map, as in georeferenced files."""

import math
from typing import NamedTuple

import numpy as np

from polymask.common.error_text import quote

UNUSED = ([], [0, 0, 1])  # the last row of an affine transform's matrix


class Affine(NamedTuple):
    """An affine transform from pixels to a map: x' = a x + b y + c, y' = d x + e y + f."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def __call__(self, points):
        """Convert (N, 2) pixels to map coordinates."""
        x, y = points.T
        return np.column_stack([self.a * x + self.b * y + self.c, self.d * x + self.e * y + self.f])

    def to_pixels(self, points, east=None):
        """Convert (N, 2) map coordinates to pixels, exactly if differences and quotients are.

        `east`, (N,) numbers to be added to x, does not cost exactness: the sum of x, `east` and the
        origin is rounded only once.
        """
        a, b, c, d, e, f = self
        offsets = points - (c, f)
        if east is not None:
            offsets[:, 0] = _sum(points[:, 0], -c, east)
        if b == d == 0:
            offsets /= (a, e)
            return offsets
        x, y = offsets.T
        return np.column_stack([e * x - b * y, a * y - d * x]) / (a * e - b * d)

    @property
    def step(self):
        """The side of a square with the area of a pixel, in units of the map."""
        return math.sqrt(abs(self.a * self.e - self.b * self.d))

    @property
    def mirrors(self):
        """Whether the transform turns clockwise into anticlockwise, as in maps with north up."""
        return self.a * self.e < self.b * self.d


def affine(transform):
    """Check six numbers, or rasterio's transform of nine, and return them as an Affine."""
    try:
        numbers = [float(number) for number in transform]
    except (NotImplementedError, TypeError, ValueError, OverflowError):
        raise ValueError(f"transform must be six numbers, got {quote(transform)}") from None
    if len(numbers) not in (6, 9) or not np.isfinite(numbers).all() or numbers[6:] not in UNUSED:
        raise ValueError(
            f"transform must be six finite numbers (a, b, c, d, e, f), got {quote(numbers)}"
        )
    a, b, _, d, e, _ = coefficients = Affine(*numbers[:6])
    if a * e == b * d:
        raise ValueError(f"transform {tuple(coefficients)} gives pixels no area")
    if not (b == d == 0 or math.isfinite(a * e - b * d)):  # to_pixels divides by it
        raise ValueError(f"transform {tuple(coefficients)}: the area of a pixel is beyond float64")
    return coefficients


def _sum(*terms):
    """Return the sum of three terms, rounded once: each addition's error is added at the end."""
    total, errors = terms[0], 0.0
    for term in terms[1:]:
        previous, total = total, total + term
        back = total - previous  # the part of `term` that is in the total
        errors = errors + ((previous - (total - back)) + (term - back))
    return total + errors
