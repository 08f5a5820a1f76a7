"""Placing polygons on an image, as on a map: north is up."""

import math
from typing import NamedTuple

import numpy as np

from polymask import contract
from polymask.common.error_text import shown

UNUSED = ([], [0, 0, 1])  # the last row of an affine transform's matrix
MARGIN = 0.02  # of the image, left free by `fit` on every side


class Placement(NamedTuple):
    """How map coordinates become pixels: x and y times `scale` plus `shift`, y turned over."""

    scale: np.ndarray
    shift: np.ndarray

    def __call__(self, points):
        """Return (N, 2) map coordinates as pixels."""
        return points * self.scale + self.shift


class Affine(NamedTuple):
    """An affine transform from pixels to a map: x' = a x + b y + c, y' = d x + e y + f."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def __call__(self, points):
        """Return (N, 2) pixels as map coordinates."""
        x, y = points.T
        return np.column_stack([self.a * x + self.b * y + self.c, self.d * x + self.e * y + self.f])

    def to_pixels(self, points):
        """Return (N, 2) map coordinates as pixels; exact where differences and quotients are."""
        a, b, c, d, e, f = self
        if b == d == 0:
            found = points - (c, f)
            found /= (a, e)
            return found
        x, y = (points - (c, f)).T
        return np.column_stack([e * x - b * y, a * y - d * x]) / (a * e - b * d)

    @property
    def step(self):
        """The side of a square as large as a pixel, in units of the map."""
        return math.sqrt(abs(self.a * self.e - self.b * self.d))

    @property
    def mirrors(self):
        """Whether what ran clockwise runs anticlockwise, as where north is up."""
        return self.a * self.e < self.b * self.d


def affine(transform):
    """Return an Affine, given the six numbers, or rasterio's transform of nine; checked."""
    try:
        numbers = [float(number) for number in transform]
    except (NotImplementedError, TypeError, ValueError, OverflowError):
        raise ValueError(f"transform must be six numbers, got {shown(transform)}") from None
    if len(numbers) not in (6, 9) or not np.isfinite(numbers).all() or numbers[6:] not in UNUSED:
        raise ValueError(
            f"transform must be six finite numbers (a, b, c, d, e, f), got {shown(numbers)}"
        )
    found = Affine(*numbers[:6])
    if found.a * found.e == found.b * found.d:
        raise ValueError(f"transform {tuple(found)} leaves no area")
    if not (found.b == found.d == 0 or math.isfinite(found.a * found.e - found.b * found.d)):
        # the way back divides by it
        raise ValueError(f"transform {tuple(found)}: the area of a pixel is beyond float64")
    return found


def fit_to(low, high, shape):
    """Return the placement that `fit` makes of a box, given its least and its greatest x and y."""
    rows, cols = shape
    corner = np.array([cols - 1, rows - 1])
    with np.errstate(over="ignore"):
        extent = np.subtract(high, low)
    if not np.isfinite(extent).all():
        raise ValueError("cannot fit a polygon whose width or height is beyond float64")
    if not (extent > 0).any():
        raise ValueError("cannot fit a polygon whose vertices all coincide")
    scale = ((1 - 2 * MARGIN) * corner[extent > 0] / extent[extent > 0]).min() * np.array([1, -1])
    return Placement(scale, corner / 2 - np.add(low, high) / 2 * scale)


def bounds_to(bounds, shape):
    """Return the placement of a map whose edges, west, south, east and north, are the image's.

    Sample it at the pixels' centres, `center=True`.
    """
    rows, cols = shape
    west, south, east, north = _check_bounds(bounds)
    with np.errstate(all="ignore"):
        scale = np.array([cols, -rows]) / np.array([east - west, north - south])
        shift = np.array([-west, -north]) * scale
    if not (np.isfinite(scale).all() and np.isfinite(shift).all()):
        raise ValueError(f"bounds {bounds} are too close for float64: no pixel is as small")
    return Placement(scale, shift)


def bounds_from(bounds, shape):
    """Return the transform of an image whose edges are a map's: the way back from `bounds_to`."""
    rows, cols = shape
    west, south, east, north = _check_bounds(bounds)
    if 0 in shape:
        raise ValueError(f"an image of shape {shape} has no bounds")
    return Affine((east - west) / cols, 0.0, west, 0.0, (south - north) / rows, north)


def _check_bounds(bounds):
    west, south, east, north = bounds
    if not (west < east and south < north):
        raise ValueError(f"bounds must be W,S,E,N with W < E and S < N, got {bounds}")
    if not (np.isfinite(east - west) and np.isfinite(north - south)):
        raise ValueError(
            f"bounds must be finite, and no further apart than float64 holds: {bounds}"
        )
    return bounds


def fit(vertices, shape):
    """Scale a polygon to fill an image, its proportions kept, centred; return (N, 2) pixels.

    Vertices are x and y, or longitude and latitude: north is up, and y turns over.
    """
    vertices = contract.check_vertices(vertices)
    shape = contract.check_shape(shape)
    return fit_to(vertices.min(axis=0), vertices.max(axis=0), shape)(vertices)
