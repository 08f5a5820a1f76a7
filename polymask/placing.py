"""Placing polygons on an image, as on a map: north is up."""

from typing import NamedTuple

import numpy as np

from polymask import contract

MARGIN = 0.02  # of the image, left free by `fit` on every side


class Placement(NamedTuple):
    """How map coordinates become pixels: x and y times `scale` plus `shift`, y turned over."""

    scale: np.ndarray
    shift: np.ndarray

    def __call__(self, points):
        """Return (N, 2) map coordinates as pixels."""
        return points * self.scale + self.shift


def fit_to(low, high, shape):
    """Return the placement that `fit` makes of a box, given its least and its greatest x and y."""
    rows, cols = shape
    corner = np.array([cols - 1, rows - 1])
    extent = np.subtract(high, low)
    if not (extent > 0).any():
        raise ValueError("cannot fit a polygon whose vertices all coincide")
    scale = ((1 - 2 * MARGIN) * corner[extent > 0] / extent[extent > 0]).min() * np.array([1, -1])
    return Placement(scale, corner / 2 - np.add(low, high) / 2 * scale)


def bounds_to(bounds, shape):
    """Return the placement of a map whose edges, west, south, east and north, are the image's.

    Sample it at the pixels' centres, `center=True`.
    """
    rows, cols = shape
    west, south, east, north = bounds
    if not (west < east and south < north):
        raise ValueError(f"bounds must be W,S,E,N with W < E and S < N, got {bounds}")
    scale = np.array([cols / (east - west), -rows / (north - south)])
    return Placement(scale, np.array([-west, -north]) * scale)


def fit(vertices, shape):
    """Scale a polygon to fill an image, its proportions kept, centred; return (N, 2) pixels.

    Vertices are x and y, or longitude and latitude: north is up, and y turns over.
    """
    vertices = contract.check_vertices(vertices)
    shape = contract.check_shape(shape)
    return fit_to(vertices.min(axis=0), vertices.max(axis=0), shape)(vertices)
