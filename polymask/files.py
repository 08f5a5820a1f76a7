"""Reading polygons from files, and placing them on an image."""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np

from polymask import contract, geometry

MARGIN = 0.02  # of the image, left free by `fit` on every side


class Feature(NamedTuple):
    """A polygon of a file, and what the file says of it.

    Attributes
    ----------
    parts : list of geometry.Rings
        Empty where the file gives no geometry.
    properties : dict
        Of a GeoJSON feature; empty for other files.
    """

    parts: list
    properties: dict


def read_polygon(file):
    """Read a polygon of one ring: GeoJSON, two columns of text or CSV, or an .npy array.

    Text has one vertex a line, x and y apart by blanks, a comma, a semicolon or a tab. Empty
    lines, what follows a #, and one line of column names at the top are passed over.

    Parameters
    ----------
    file : str or Path

    Returns
    -------
    ndarray, shape (N, 2), float64

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it holds no polygon, or more than one ring; the text names the file, and for text the
        line.
    """
    rings = [part for feature in read_features(file) for part in feature.parts]
    count = sum(1 if part.starts is None else len(part.starts) for part in rings)
    if count != 1:
        raise ValueError(f"{file}: has {count} rings, a rung takes one; `polymask mask` takes all")
    return rings[0].vertices


def read_features(file):
    """Read all polygons of a file, of the kinds that `read_polygon` reads.

    Returns
    -------
    list of Feature
        All of a GeoJSON file's; one for other files.
    """
    file = Path(file)
    try:
        if file.suffix.lower() in (".geojson", ".json"):
            return _read_geojson(file)
        found = _read_npy(file) if file.suffix.lower() == ".npy" else _read_text(file)
        return [Feature(geometry.parts(found), {})]
    except (ValueError, TypeError) as error:
        raise ValueError(f"{file}: {error}") from None


def _read_geojson(file):
    try:
        found = json.loads(file.read_text(encoding="utf-8-sig"))
    except ValueError:  # of the decoder or of JSON
        raise ValueError("not JSON") from None
    if not isinstance(found, dict):
        raise ValueError("JSON, but not GeoJSON")
    features = []
    for number, feature in enumerate(geometry.features(found)):
        try:
            parts = geometry.parts(feature)
        except (ValueError, TypeError) as error:
            raise ValueError(f"feature {number}: {error}") from None
        features.append(Feature(parts, feature.get("properties") or {}))
    return features


def _read_npy(file):
    try:
        found = np.load(file, allow_pickle=False)
    except (EOFError, ValueError):
        found = None
    if not isinstance(found, np.ndarray):  # an .npz by another name is no array
        raise ValueError("not an .npy file of numbers")
    return found


def _read_text(file):
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError("neither text nor .npy") from None
    vertices, names_seen = [], False
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].replace(",", " ").replace(";", " ").split()
        if not words:
            continue
        try:
            x, y = map(float, words)
        except ValueError:
            if not vertices and not names_seen and len(words) == 2:
                names_seen = True
                continue
            raise ValueError(f"line {number}: expected two numbers, got {line.strip()!r}") from None
        vertices.append((x, y))
    return np.array(vertices).reshape(-1, 2)


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
