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
    """Return the placement that fills an image, proportions kept, centred, north up.

    Parameters
    ----------
    low, high : array_like, shape (2,)
        The corners of what is to fit: least and greatest x and y.
    shape : tuple of int
        Rows and columns of the image.
    """
    rows, cols = shape
    corner = np.array([cols - 1, rows - 1])
    extent = np.subtract(high, low)
    if not (extent > 0).any():
        raise ValueError("cannot fit a polygon whose vertices all coincide")
    scale = ((1 - 2 * MARGIN) * corner[extent > 0] / extent[extent > 0]).min() * np.array([1, -1])
    return Placement(scale, corner / 2 - np.add(low, high) / 2 * scale)


def bounds_to(bounds, shape):
    """Return the placement of a map whose edges are the image's, north up.

    Sample it at the pixels' centres, `center=True`.

    Parameters
    ----------
    bounds : tuple of float
        West, south, east, north.
    shape : tuple of int
        Rows and columns of the image.
    """
    rows, cols = shape
    west, south, east, north = bounds
    if not (west < east and south < north):
        raise ValueError(f"bounds must be W,S,E,N with W < E and S < N, got {bounds}")
    scale = np.array([cols / (east - west), -rows / (north - south)])
    return Placement(scale, np.array([-west, -north]) * scale)


def fit(vertices, shape):
    """Scale a polygon to fill an image, its proportions kept, centred, y upwards: north is up.

    Parameters
    ----------
    vertices : array_like, shape (N, 2)
        Columns x and y, or longitude and latitude; y grows upwards as on a map.
    shape : tuple of int
        Rows and columns of the image.

    Returns
    -------
    ndarray, shape (N, 2), float64
        Columns x and y in pixels, y downwards as in arrays.

    Raises
    ------
    ValueError
        If all vertices coincide, so that there is nothing to scale.
    """
    vertices = contract.check_vertices(vertices)
    shape = contract.check_shape(shape)
    return fit_to(vertices.min(axis=0), vertices.max(axis=0), shape)(vertices)
