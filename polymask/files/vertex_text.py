"""Polygons in text: one vertex per line, as in exported tables."""

from math import isfinite

import numpy as np

from polymask.common import error_text

NAMES_OF_Y = "y", "lat", "latitude", "northing", "row"  # of columns: x comes first
MOST = 60  # characters of a quoted line


def read(lines):
    """Read the polygons in lines of text.

    A line has x and y, separated by blanks, a comma, a semicolon or a tab. Comments after a # and
    one line of column names before the first vertex are ignored. A blank line ends a polygon; a
    line with only a comment does not.

    Parameters
    ----------
    lines : list of str

    Returns
    -------
    list of ndarray, shape (N, 2), float64
        At least one polygon, each with at least three vertices, all finite.

    Raises
    ------
    ValueError
        If there is no polygon, or a line is invalid. The message names the line.
    """
    polygons, vertices, first, has_names = [], [], 0, False
    for number, line in enumerate([*lines, ""], start=1):
        text, sign, _ = line.partition("#")
        words = text.replace(",", " ").replace(";", " ").split()
        if sign and not words:
            continue
        try:
            x, y = map(_number, words)
        except ValueError:
            if words:
                is_first = not vertices and not polygons and not has_names
                if not is_first or len(words) != 2 or any(map(_is_number, words)):
                    text = f"line {number}: expected two numbers, got {_quote(line)}"
                    raise ValueError(text) from None
                _refuse_swapped(number, words[0])
                has_names = True
                continue
        else:
            if not (isfinite(x) and isfinite(y)):
                raise ValueError(f"line {number}: a vertex must be finite, got {_quote(line)}")
            first = first if vertices else number
            vertices.append((x, y))
            continue
        if vertices:
            polygons.append(_polygon(vertices, first, number - 1))
            vertices = []
    if not polygons:
        raise ValueError("no line has two numbers")
    return polygons


def _polygon(vertices, first, last):
    if len(vertices) < 3:
        raise ValueError(
            f"lines {first} to {last}: a polygon needs at least 3 vertices, got {len(vertices)}; a "
            "blank line ends a polygon"
        )
    return np.array(vertices)


def _refuse_swapped(number, name):
    if name.strip("\"'").casefold() in NAMES_OF_Y:
        raise ValueError(
            f"line {number}: the first column is {error_text.quote(name)}, not x: swap the columns"
        )


def _quote(line):
    """Return the beginning of a line, in quotes."""
    line = " ".join(line[: 4 * MOST].split())
    return repr(line if len(line) <= MOST else f"{line[: MOST - 3]}...")


def _number(word):
    if "_" in word:  # Python would allow it between digits
        raise ValueError
    return float(word)


def _is_number(word):
    try:
        float(word)
    except ValueError:
        return False
    return True
