"""A sweep as curves on logarithmic axes, each labelled on the line, the yardstick drawn in.

Text in a picture that is scaled to a phone cannot be read: there are two drawings, a wide and a
narrow one, and the page shows the one that fits.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np

from polymask.report import amdahl, curves, numbers
from polymask.report.html import axis

WIDE, NARROW = 940, 350
LETTER, LINE = 6.9, 14  # width and height of the text of labels, pixels
SWATCH = 18  # a piece of the curve before its key in the column at the right
DASHES = {"-": "none", "--": "7 3", "-.": "7 3 2 3", ":": "2 3"}
GREY = "#666666"
FAR = 120.0  # a label farther from its curve stands in the column, where it has a swatch


@dataclass(frozen=True)
class Curve:
    """A curve in pixels."""

    key: str
    colour: str
    dash: str
    points: str
    dots: list[tuple[float, float]]


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


@dataclass(frozen=True)
class Chart:
    """A drawing of a sweep."""

    width: int
    height: int
    left: float
    right: float
    top: float
    bottom: float
    curves: list[Curve]
    laws: list[Curve]
    labels: list[Label]
    x_ticks: list
    y_ticks: list
    over: str
    name: str


def charts(found):
    """Lay a sweep out, wide and narrow; none where it has no times."""
    series = {key: points for key, points in curves.series(found).items() if points}
    return [_chart(found, series, width) for width in (WIDE, NARROW)] if series else []


def _chart(found, series, width):
    keys = list(series)
    beside = LETTER * max(map(len, keys)) + SWATCH + 16  # a column of labels
    left, right = 56.0, round(width - beside, 1)
    height = max(540 if width == WIDE else 400, LINE * len(keys) + 70)
    top, bottom = 10.0, height - 46.0
    seconds = [s for points in series.values() for _, s in points]
    x = axis.around(found["sweep"]["values"], start=left + 8, stop=right - 12)
    y = axis.around(seconds, 1.5, start=bottom, stop=top)
    drawn, ends = [], []
    for number, (key, points) in enumerate(series.items()):
        dots = [(x.at(value), y.at(time)) for value, time in points]
        colour, dash = _look(key, number)
        drawn.append(Curve(key, colour, dash, _path(dots), dots))
        ends.append((key, colour, dash, *dots[-1]))
    return Chart(
        width=width,
        height=height,
        left=left,
        right=right,
        top=top,
        bottom=bottom,
        curves=drawn,
        laws=_laws(found, series, x, y),
        labels=_labels(ends, _inked(drawn), right, (top, bottom)),
        x_ticks=_x_ticks(found["sweep"]["values"], x),
        y_ticks=[(y.at(value), axis.seconds_tick(value)) for value in y.decades()],
        over=curves.TITLES[found["sweep"]["over"]],
        name="wide" if width == WIDE else "narrow",
    )


def _look(key, number):
    """Return colour and dashes: in grey, neighbours differ by their dashes."""
    if key == "memset":
        return GREY, "1 4"
    dash = curves.DASHES[number % len(curves.DASHES)]
    return curves.COLOURS[number % len(curves.COLOURS)], DASHES[dash]


def _path(dots):
    return " ".join(f"{x},{y}" for x, y in dots)


def _laws(found, series, x, y):
    """Draw Amdahl's law where it was fitted to enough counts to be wrong."""
    drawn, fits = [], _fits(found)
    for number, key in enumerate(series):
        law = fits.get(key)
        if law and not law.exact:
            dots = [(x.at(count), y.at(law.at(count))) for count in law.counts]
            drawn.append(Curve(key, _look(key, number)[0], "none", _path(dots), []))
    return drawn


def _fits(found):
    return amdahl.of_sweep(found) if found["sweep"]["over"] == "threads" else {}


def _x_ticks(values, x):
    """Return (where, text): the text is left out where it would touch the one before."""
    found, free = [], 0.0
    for value in values:
        place, half = x.at(value), LETTER * len(str(value)) / 2
        shown = place - half >= free
        found.append((place, str(value) if shown else ""))
        free = place + half + 6 if shown else free
    return found


def _inked(drawn):
    """Return points all along the curves, (N, 2): where a label would cover a line."""
    along = np.linspace(0, 1, 24)[:, None]
    found = [np.empty((0, 2))]
    for curve in drawn:
        dots = np.array(curve.dots)
        found += [a + along * (b - a) for a, b in itertools.pairwise(dots)]
    return np.concatenate(found)


def _labels(ends, ink, right, heights):
    """Place each key near the end of its curve, or in a column at the right, none on another."""
    labels, taken, column = [], [], []
    for end in sorted(ends, key=_height):
        key, colour, dash, x, y = end
        place = _free_place(end, ink, taken, right, heights)
        if place is None:
            column.append(end)
            continue
        near = math.dist(place, (x, y)) < 1.2 * LINE
        leader = None if near else (x + 3, y, place[0] - 2, place[1])
        labels.append(Label(key, colour, dash, False, *place, leader))
    places = _apart([y for *_, y in column], heights)
    swatch = round(right + 8, 1)
    for (key, colour, dash, x, y), place in zip(column, places, strict=True):
        leader = (round(x + 3, 1), y, swatch - 3, place)
        labels.append(Label(key, colour, dash, True, swatch, place, leader))
    return labels


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


@dataclass(frozen=True)
class Law:
    """Amdahl's law of a rung, in words."""

    key: str
    share: str
    interval: str
    serial: str
    parallel: str
    deviation: str
    limit: str
    remark: str


def laws(found):
    """Return the laws of a sweep over threads, and whether each is but an estimate of two counts.

    Returns
    -------
    list of Law, bool
    """
    fits = _fits(found)
    made = [
        Law(
            key=key,
            share=curves.percent(fit.share),
            interval=curves.share_interval(fit),
            serial=numbers.seconds(fit.serial_s) if fit.serial_s else "0",
            parallel=numbers.seconds(fit.parallel_s) if fit.parallel_s else "0",
            deviation="" if fit.exact else curves.percent(fit.deviation),
            limit=numbers.digits(1 / fit.share, 2) if fit.share else "",
            remark=curves.held(fit),
        )
        for key, fit in fits.items()
    ]
    return made, any(fit.exact for fit in fits.values())


def medians(found):
    """Return the table of medians: (headings, rows of texts)."""
    over, values = found["sweep"]["over"], found["sweep"]["values"]
    rows = []
    for key, points in curves.series(found).items():
        times = dict(points)
        rows.append((key, *(numbers.seconds(times.get(value)) for value in values)))
    return (over, *map(str, values)), rows
