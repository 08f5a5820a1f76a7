"""A sweep as curves on logarithmic axes, each labelled on the line, the yardstick drawn in.

Text in a picture that is scaled to a phone cannot be read: there are two drawings, a wide and a
narrow one, and the page shows the one that fits.
"""

from dataclasses import dataclass

from polymask.report import amdahl, curves, numbers
from polymask.report.html import axis, labels

WIDE, NARROW = 940, 350
DASHES = {"-": "none", "--": "7 3", "-.": "7 3 2 3", ":": "2 3"}
COLOURS = {colour: f"curve-{number}" for number, colour in enumerate(curves.COLOURS)}
COLOURS[curves.YARDSTICK[0]] = "yardstick"
MOST_COLUMNS = 12


@dataclass(frozen=True)
class Curve:
    """A curve in pixels; its colour is the name of one in style.css."""

    key: str
    colour: str
    dash: str
    points: str
    dots: list[tuple[float, float]]


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
    labels: list[labels.Label]
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
    beside = labels.LETTER * max(map(len, keys)) + labels.SWATCH + 16  # a column of labels
    left, right = 56.0, round(width - beside, 1)
    height = max(540 if width == WIDE else 400, labels.LINE * len(keys) + 70)
    top, bottom = 10.0, height - 46.0
    seconds = [s for points in series.values() for _, s in points]
    x = axis.around(found["sweep"]["values"], start=left + 8, stop=right - 12)
    y = axis.around(seconds, 1.5, start=bottom, stop=top)
    drawn, ends = [], []
    for key, points in series.items():
        dots = [(x.at(value), y.at(time)) for value, time in points]
        colour, dash = _look(key)
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
        labels=labels.place(ends, [c.dots for c in drawn], right, (top, bottom)),
        x_ticks=_x_ticks(found["sweep"]["values"], x),
        y_ticks=[(y.at(value), axis.seconds_tick(value)) for value in y.decades()],
        over=curves.TITLES[found["sweep"]["over"]],
        name="wide" if width == WIDE else "narrow",
    )


def _look(key):
    """Return the name of a curve's colour, and its dashes."""
    colour, dash = curves.style(key)
    return COLOURS[colour], DASHES[dash]


def _path(dots):
    return " ".join(f"{x},{y}" for x, y in dots)


def _laws(found, series, x, y):
    """Draw Amdahl's law where it was fitted to enough counts to be wrong."""
    drawn, fits = [], _fits(found)
    for key in series:
        law = fits.get(key)
        if law and not law.exact:
            dots = [(x.at(count), y.at(law.at(count))) for count in law.counts]
            drawn.append(Curve(key, _look(key)[0], "none", _path(dots), []))
    return drawn


def _fits(found):
    return amdahl.of_sweep(found) if found["sweep"]["over"] == "threads" else {}


def _x_ticks(values, x):
    """Return (where, text): the text is left out where it would touch the one before."""
    found, free = [], 0.0
    for value in values:
        place, half = x.at(value), labels.LETTER * len(str(value)) / 2
        shown = place - half >= free
        found.append((place, str(value) if shown else ""))
        free = place + half + 6 if shown else free
    return found


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
    made = [_law(key, fit) for key, fit in fits.items()]
    return made, any(fit.exact for fit in fits.values())


def _law(key, fit):
    # Where a term was held at zero, its share and what follows from it were not fitted.
    remark = curves.held(fit)
    return Law(
        key=key,
        share="" if remark else curves.percent(fit.share),
        interval="" if remark else curves.share_interval(fit),
        serial=numbers.seconds(fit.serial_s) if fit.serial_s else "0",
        parallel=numbers.seconds(fit.parallel_s) if fit.parallel_s else "0",
        deviation="" if fit.exact else curves.percent(fit.deviation),
        limit="" if remark or not fit.share else numbers.digits(1 / fit.share, 2),
        remark=remark,
    )


def medians(found):
    """Return the table of medians: (headings, rows of texts).

    A column a value; where that is more than paper holds, a row a value.
    """
    over, values = found["sweep"]["over"], found["sweep"]["values"]
    rows = [(over, *map(str, values))]
    for key, points in curves.series(found).items():
        times = dict(points)
        rows.append((key, *(numbers.seconds(times.get(value)) for value in values)))
    if len(values) > MOST_COLUMNS and len(rows) < len(values):
        rows = list(zip(*rows, strict=True))
    return rows[0], rows[1:]
