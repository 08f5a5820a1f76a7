"""Affine transforms between the pixels of an image and a map, as in georeferenced files."""

import math
from typing import NamedTuple

import numpy as np

from polymask import contract
from polymask.common.error_text import quote
from polymask.maps.crs import is_geographic

UNUSED = ([], [0, 0, 1])  # the last row of an affine transform's matrix
IDENTITY = 1, 0, 0, 0, 1, 0
AS_IT_IS = slice(None), slice(None)  # the index of a whole image
POLE = 90.0  # degrees
NEAR = 1e-6  # pixels: how far rounding may move the row of a pole
BEYOND = 2**-24  # pixels: more than the rounding of an edge, so that tiles agree at its end


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

    def north_up(self, shape, is_map=True):
        """Return the transform of an image whose rows begin in the north, and columns in the west.

        The second result is the index that reverses the rows or columns of the other image, to
        convert one into the other. If it is not known to be that of a map, the identity or a
        translation is that of an image; like a rotated one, it is returned unchanged.
        """
        (a, b, c, d, e, f), (rows, cols) = self, shape
        if b or d or (a == e == 1 and not is_map):
            return self, AS_IT_IS
        turn = reversing(e > 0), reversing(a < 0)
        if e > 0:
            e, f = -e, f + e * rows
        if a < 0:
            a, c = -a, c + a * cols
        return Affine(a, b, c, d, e, f), turn

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
        if isinstance(transform, contract.NOT_SEQUENCES):
            raise TypeError
        numbers = [float(number) for number in transform]
    except (NotImplementedError, TypeError, ValueError, OverflowError):
        raise ValueError(f"transform must be six numbers, got {quote(transform)}") from None
    if len(numbers) not in (6, 9) or not np.isfinite(numbers).all() or numbers[6:] not in UNUSED:
        raise ValueError(
            f"transform must be six finite numbers (a, b, c, d, e, f), got {quote(numbers)}"
        )
    a, b, _, d, e, _ = coefficients = Affine(*numbers[:6])
    _refuse_gdals_order(*coefficients)
    if a * e == b * d:
        raise ValueError(f"transform {tuple(coefficients)} gives pixels no area")
    if not (b == d == 0 or math.isfinite(a * e - b * d)):  # to_pixels divides by it
        raise ValueError(f"transform {tuple(coefficients)}: the area of a pixel is beyond float64")
    return coefficients


def _refuse_gdals_order(a, b, c, d, e, f):
    """Refuse (x, step, 0, y, 0, step), unless it may be a rotation by 90 degrees."""
    if c == e == 0 and b and f and (a or not d or abs(f) == abs(b) != abs(d)):
        raise ValueError(
            f"transform {(a, b, c, d, e, f)} is in GDAL's order: pass {(b, c, a, e, f, d)}"
        )


def reversing(is_reversed):
    """Return the slice of all elements, in order or reversed."""
    return slice(None, None, -1 if is_reversed else None)


def turned(image, turn):
    """Return an image with its rows or columns reversed by an index of `north_up`."""
    return image if turn == AS_IT_IS else np.ascontiguousarray(image[turn])


def keeping_poles(place, transform, shape, center, system=None):
    """Return a function that converts points like `place`, but moves some at a pole outwards.

    If a row of samples is at a pole, a vertex there would be on their level, and they might be
    outside a polygon that ends there. It is moved beyond them, also on grids without that row, so
    that tiles of a grid agree. `transform` is from `north_up`, `center` is that of the samples, and
    `system` is a reference system, or whether coordinates are degrees. If unknown, they are if no
    sample is beyond a pole or more than 360 from 0.
    """
    if transform.b or transform.d or transform.e > 0:
        return place
    poles, first = np.array([(0, POLE), (0, -POLE)]), center / 2
    with np.errstate(all="ignore"):
        places = place(poles)[:, 1]
        rows = np.rint(places - first) + first
        beyond = rows + (-BEYOND, BEYOND)
    is_sample = abs(places - rows) < NEAR

    def are_degrees():
        known = system if system is None or isinstance(system, bool) else is_geographic(system)
        if known is not None:
            return known
        ends = transform(np.array([(0, 0), (shape[1] - 1, shape[0] - 1)]) + first)
        return (abs(ends) <= (360, POLE - NEAR * transform.e)).all()

    def place_beyond(points, *east):
        pixels = place(points, *east)
        is_at = [points[:, 1] == latitude for latitude in poles[is_sample, 1]]
        if np.any(is_at) and are_degrees():
            for those, row in zip(is_at, beyond[is_sample], strict=True):
                pixels[those, 1] = row
        return pixels

    return place_beyond if is_sample.any() else place


def _sum(*terms):
    """Return the sum of three terms, rounded once: each addition's error is added at the end."""
    total, errors = terms[0], 0.0
    for term in terms[1:]:
        previous, total = total, total + term
        back = total - previous  # the part of `term` that is in the total
        errors = errors + ((previous - (total - back)) + (term - back))
    return total + errors
