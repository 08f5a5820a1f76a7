"""Reading polygons from files, and fitting them to an image."""

from pathlib import Path

import numpy as np

from polymask import contract

MARGIN = 0.02  # of the image, left free by `fit` on every side


def read_polygon(file):
    """Read a polygon: two columns of text or CSV, or an .npy array.

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
        If it holds no polygon; the text names the file, and for text the line.
    """
    file = Path(file)
    try:
        found = _read_npy(file) if file.suffix == ".npy" else _read_text(file)
        return contract.check_vertices(found)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{file}: {error}") from None


def _read_npy(file):
    try:
        return np.load(file, allow_pickle=False)
    except (EOFError, ValueError):
        raise ValueError("not an .npy file of numbers") from None


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
    rows, cols = contract.check_shape(shape)
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    if (low == high).all():
        raise ValueError("cannot fit a polygon whose vertices all coincide")
    room = (1 - 2 * MARGIN) * np.array([cols - 1, rows - 1])
    extent = high - low
    scale = (room[extent > 0] / extent[extent > 0]).min()
    fitted = (vertices - (low + high) / 2) * (scale, -scale)
    return fitted + np.array([cols - 1, rows - 1]) / 2
