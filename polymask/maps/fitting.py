"""Fitting polygons onto an image, to fill it or by the bounds of a map, with north up."""

from typing import NamedTuple

import numpy as np

from polymask import contract
from polymask.maps.georeference import Affine

MARGIN = 0.02  # of the image, left free by `fit` on every side


class Placement(NamedTuple):
    """A transform from map coordinates to pixels: x and y times `scale` plus `shift`, y flipped."""

    scale: np.ndarray
    shift: np.ndarray

    def __call__(self, points):
        """Convert (N, 2) map coordinates to pixels."""
        return points * self.scale + self.shift


def fit_to(low, high, shape):
    """Return the placement that `fit` gives a box, from its smallest and largest x and y."""
    rows, cols = shape
    corner = np.array([cols - 1, rows - 1])
    with np.errstate(over="ignore"):
        extent = np.subtract(high, low)
    if not np.isfinite(extent).all():
        raise ValueError("cannot fit a polygon whose width or height exceeds float64")
    if not (extent > 0).any():
        raise ValueError("cannot fit a polygon whose vertices all coincide")
    scale = ((1 - 2 * MARGIN) * corner[extent > 0] / extent[extent > 0]).min() * np.array([1, -1])
    return Placement(scale, corner / 2 - np.add(low, high) / 2 * scale)


def bounds_from(bounds, shape):
    """Return the transform of an image whose edges are the bounds W, S, E, N of a map.

    Sample it at the pixels' centres, with `center=True`.
    """
    rows, cols = shape
    west, south, east, north = bounds
    if not (west < east and south < north):
        raise ValueError(f"bounds must be W,S,E,N with W < E and S < N, got {bounds}")
    if not (np.isfinite(east - west) and np.isfinite(north - south)):
        raise ValueError(f"bounds and their differences must be finite, got {bounds}")
    if 0 in shape:
        raise ValueError(f"an image of shape {shape} has no bounds")
    width, height = (east - west) / cols, (south - north) / rows
    if min(width, -height) < np.finfo(float).tiny:  # coordinates in pixels would be infinite
        raise ValueError(f"bounds {bounds} are too close together for pixels in float64")
    return Affine(width, 0.0, west, 0.0, height, north)


def fit(vertices, shape):
    """Scale and centre a polygon to fill an image, keeping proportions; return (N, 2) pixels.

    Vertices are x and y, or longitude and latitude. North is up, so y is flipped.
    """
    vertices = contract.check_vertices(vertices)
    shape = contract.check_shape(shape)
    return fit_to(vertices.min(axis=0), vertices.max(axis=0), shape)(vertices)
