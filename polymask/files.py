"""Reading polygons from files."""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np

from polymask import geometry


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
