"""Where the keys of curves stand, so that none lies on another and each is seen to be its curve's.

A key stands beside the end of its curve, with a line to it unless no other curve ends near; or,
where ends lie on each other or there is no room, in a column at the right, behind a piece of its
curve. No line passes a key or crosses another line.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np

LETTER, LINE = 6.9, 14  # width and height of the text of labels, pixels
SWATCH = 18  # a piece of the curve before its key in the column at the right
FAR = 120.0  # a label farther from its curve stands in the column, where it has a swatch
CLEAR = 3.0  # between a line and a key that is not its own
CROWDED = 8.0  # between the ends of curves
ALONE = 24.0  # with all other ends farther away by so much, a key needs no line


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

    @property
    def box(self):
        """Left, top, right and bottom of the key."""
        left = self.x + (SWATCH + 2 if self.column else 0)
        return left, self.y - LINE / 2, left + LETTER * len(self.key), self.y + LINE / 2


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
    labels, column, ink = [], [], _inked(drawn)
    last = max(x for *_, x, _ in ends)
    for end in sorted(ends, key=_height):
        label = _beside(end, ends, ink, labels, last - CLEAR, heights)
        labels += [label] if label else []
        column += [] if label else [end]
    swatch = round(right + 8, 1)
    places = _apart([y for *_, y in column], heights)
    for (key, colour, dash, x, y), where in zip(column, places, strict=True):
        # from farther left, a line would pass the keys that stand there: the piece tells enough
        leader = (round(x + 3, 1), y, swatch - 3, where) if x == last else None
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


def _beside(end, ends, ink, placed, right, heights):
    """Return the label at the best place beside the end of its curve; None where nothing is free.

    The nearest place; one that covers lines, or needs a line to its curve, counts as farther off.
    """
    key, colour, dash, x, y = end
    if any(math.dist((x, y), other[3:]) < CROWDED for other in ends if other != end):
        return None  # a line could not tell which curve it comes from, and the piece can
    best, least = None, FAR
    for dx in (6, 16, 26, 36, 60, 90):
        for shift in range(-6, 7):
            left, middle = round(x + dx, 1), round(y + shift * LINE, 1)
            cost = math.dist((left, middle), (x, y))
            if cost >= least or not heights[0] + 6 <= middle <= heights[1] - 6:
                continue
            label = Label(key, colour, dash, False, left, middle, None)
            if label.box[2] > right:
                continue
            if not _plain(label, end, ends):
                leader = (round(x + 3, 1), y, left - 2, middle)
                label = Label(key, colour, dash, False, left, middle, leader)
                cost += LINE
            cost += 12 * np.count_nonzero(_within(ink, label.box, 1))
            if cost < least and not any(in_the_way(label, other) for other in placed):
                best, least = label, cost
    return best


def _plain(label, end, ends):
    """Whether a key is seen to be its curve's without a line: no other ends about as near."""
    own = _distance(label.box, end[3:])
    return all(_distance(label.box, other[3:]) >= own + ALONE for other in ends if other != end)


def _distance(box, point):
    left, top, right, bottom = box
    x, y = point
    return math.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom))


def in_the_way(one, other):
    """Whether a key or the line to it touches the other's key or line."""
    a, b = one.box, other.box
    if a[0] < b[2] + 4 and b[0] < a[2] + 4 and a[1] < b[3] and b[1] < a[3]:
        return True
    for label, box in ((one, b), (other, a)):
        if label.leader and np.any(_within(_along(label.leader), box, CLEAR)):
            return True
    return bool(one.leader and other.leader) and _cross(one.leader, other.leader)


def _along(leader):
    start, stop = np.reshape(leader, (2, 2))
    return start + np.linspace(0, 1, 60)[:, None] * (stop - start)


def _within(points, box, aside):
    """Tell of points, (N, 2), which lie in a box with so much room at its sides."""
    left, top, right, bottom = box
    x, y = points.T
    return (x > left - aside) & (x < right + aside) & (y > top) & (y < bottom)


def _cross(one, other):
    """Whether two lines cross, each (x, y, x, y)."""

    def side(line, x, y):
        x1, y1, x2, y2 = line
        return (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)

    return (
        side(one, *other[:2]) * side(one, *other[2:]) < 0
        and side(other, *one[:2]) * side(other, *one[2:]) < 0
    )


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
