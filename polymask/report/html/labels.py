"""Where the keys of curves stand, so that none lies on another and each is near its curve."""

import itertools
import math
from dataclasses import dataclass

import numpy as np

LETTER, LINE = 6.9, 14  # width and height of the text of labels, pixels
SWATCH = 18  # a piece of the curve before its key in the column at the right
FAR = 120.0  # a label farther from its curve stands in the column, where it has a swatch


@dataclass(frozen=True)
class Label:
    """A key beside its curve, and the line that leads there (or None).

    In the column at the right, a piece of the curve stands before the key.
    """

    key: str
    colour: str
    dash: str
    column: bool
    x: float
    y: float
    leader: tuple[float, float, float, float] | None


def place(ends, drawn, right, heights):
    """Place each key near the end of its curve, or in a column at the right, none on another.

    Parameters
    ----------
    ends : list of tuple
        (key, colour, dash, x, y): the end of each curve.
    drawn : list of list of tuple of float
        The points of all curves.
    right : float
        Where the column begins.
    heights : tuple of float
        The uppermost and the lowest y.

    Returns
    -------
    list of Label
    """
    labels, taken, column, ink = [], [], [], _inked(drawn)
    for end in sorted(ends, key=_height):
        key, colour, dash, x, y = end
        where = _free_place(end, ink, taken, right, heights)
        if where is None:
            column.append(end)
            continue
        near = math.dist(where, (x, y)) < 1.2 * LINE
        leader = None if near else (x + 3, y, where[0] - 2, where[1])
        labels.append(Label(key, colour, dash, False, *where, leader))
    places = _apart([y for *_, y in column], heights)
    swatch = round(right + 8, 1)
    for (key, colour, dash, x, y), where in zip(column, places, strict=True):
        leader = (round(x + 3, 1), y, swatch - 3, where)
        labels.append(Label(key, colour, dash, True, swatch, where, leader))
    return labels


def _inked(drawn):
    """Return points all along the curves, (N, 2): where a label would cover a line."""
    along = np.linspace(0, 1, 24)[:, None]
    found = [np.empty((0, 2))]
    for dots in map(np.array, drawn):
        found += [a + along * (b - a) for a, b in itertools.pairwise(dots)]
    return np.concatenate(found)


def _height(end):
    return end[-1], end[0]


def _free_place(end, ink, taken, right, heights):
    """Return where a key stands best beside the end of its curve; None where nothing is free.

    The nearest place that touches no other key; a place that covers lines counts as farther off.
    """
    key, _, _, x, y = end
    width, best = LETTER * len(key), None
    for dx in (6, 16, 36, 60, 90):
        for shift in range(-6, 7):
            left, middle = round(x + dx, 1), round(y + shift * LINE, 1)
            if left + width > right - 2 or not heights[0] + 6 <= middle <= heights[1] - 6:
                continue
            if any(
                left < b + 4 and left + width > a - 4 and abs(middle - p) < LINE
                for a, b, p in taken
            ):
                continue
            covered = (
                (ink[:, 0] > left - 1)
                & (ink[:, 0] < left + width)
                & (np.abs(ink[:, 1] - middle) < LINE / 2)
            )
            cost = math.dist((left, middle), (x, y)) + 12 * np.count_nonzero(covered)
            if cost < FAR and (best is None or cost < best[0]):
                best = (cost, left, middle)
    if best is None:
        return None
    taken.append((best[1], best[1] + width, best[2]))
    return best[1:]


def _apart(wanted, heights):
    """Move heights that ascend apart by a line at least, and no farther than need be."""
    low, high = heights[0] + 6, heights[1] - 6
    places = []
    for y in wanted:
        places.append(max(y, places[-1] + LINE if places else low))
    limit = high
    for number in reversed(range(len(places))):
        places[number] = min(places[number], limit)
        limit = places[number] - LINE
    return [round(place, 1) for place in places]
