"""The rows as tables: the speed-up table with what it is sorted by, and how each was measured."""

from dataclasses import dataclass

from polymask.report import numbers, origin, table
from polymask.report.html import axis

SORTED_BY = {
    "row": "key",
    "changes": "changes",
    "time": "median_s",
    "95 %": "ci95_s",
    "least": "min_s",
    "n": "samples",
    "speed-up": "speedup",
    "× before": "speedup_before",
    "× memset": "times_yardstick",
    "cores": "cores_used",
    "first call": "first_call_s",
    "course: time": "course_s",
    "course: speed-up": "course_speedup",
    "× api.fresh": "times_api",
    "differ on edges": "differ_on_edges",
    "off edges": "differ_off_edges",
}


@dataclass(frozen=True)
class Cell:
    """A text, and the value that sorts it: a number, a word, or nothing."""

    text: str
    value: object


@dataclass(frozen=True)
class Line:
    """A row of the speed-up table."""

    key: str
    status: str
    other_algorithm: bool
    cells: list[Cell]


@dataclass(frozen=True)
class Table:
    """The headings, each with whether it heads numbers, and the lines."""

    headings: list[tuple[str, bool]]
    lines: list[Line]


def speedups(result):
    """Return the speed-up table with the texts of the terminal's and of Markdown's."""
    wanted, counts = table.headings(result), table.sample_counts(result)
    headings = [(name, right) for name, right in table.COLUMNS if name in wanted]
    lines = []
    for row in table.ordered(result):
        texts = zip(table.COLUMNS, table.cells(row, counts), strict=True)
        cells = [Cell(text, _value(row, name)) for (name, _), text in texts if name in wanted]
        lines.append(Line(row["key"], row["status"], row["other_algorithm"], cells))
    return Table(headings, lines)


def _value(row, heading):
    value = row.get(SORTED_BY[heading])
    if isinstance(value, (list, tuple)):
        return value[0] if value else None
    return value


@dataclass(frozen=True)
class Measured:
    """How a row was measured, in words, and its samples as dots from the least to the greatest."""

    key: str
    title: str
    status: str
    reason: str
    samples: int
    dots: list[tuple[float, float]]
    ends: str
    texts: list[str]


MEASURED = (
    "time, 95 % of the median",
    "speed-up, 95 %",
    "first call",
    "kernel alone",
    "checked",
    "threads",
    "mask into",
    "options",
    "flags",
)
STRIP = (116.0, 26.0)  # width and height of the drawing of the samples, in pixels
PLACES = {"fresh": "a new array", "out": "one that is there"}


def measured(result):
    """Say of every row how it was measured, under the headings of `MEASURED`."""
    base = table.base_samples(result)
    return [_measured(row, base) for row in table.ordered(result)]


def _measured(row, base):
    good = row["status"] == "ok"
    values = row["samples_s"] if good else []
    included = f"; timed with it: {row['included']}" if row.get("included") else ""
    options = (f"{name}={origin.text(name, value)}" for name, value in row["options"].items())
    speedup = numbers.ratio(row["speedup"], min(base, row["samples"]))
    return Measured(
        key=row["key"],
        title=(row["title"] or "") + included,
        status=row["status"],
        reason=row["reason"] or "no reason recorded",
        samples=row["samples"],
        dots=_dots(values),
        ends=" to ".join(numbers.seconds(find(values)) for find in (min, max)) if values else "",
        texts=[
            _with_interval(numbers.seconds(row["median_s"]), numbers.interval(row["ci95_s"])),
            _with_interval(speedup, numbers.of_ratio(row["speedup_ci95"])),
            numbers.seconds(row["first_call_s"]) or "not recorded",
            numbers.seconds(row["kernel_s"]),
            _checked(row),
            _threads(row),
            PLACES.get(row["mask"], row["mask"]),
            ", ".join(options) or "none",
            ", ".join(row["flags"]) or "none",
        ],
    )


def _with_interval(text, interval):
    """Put an interval behind a number; what has none rests on too few samples."""
    if not text:
        return ""
    return f"{text} ({interval})" if interval else f"{text} (few samples)"


def _threads(row):
    """Say how many threads there were, and how many cores were busy."""
    used = "not known" if row["threads"] is None else str(row["threads"])
    return used + (f", {row['cores_used']:.1f} cores busy" if row["cores_used"] else "")


def _checked(row):
    """Say whether the mask was held against the reference."""
    if row.get("differ_off_edges") is not None:
        on, off = row["differ_on_edges"], row["differ_off_edges"]
        return f"{_differ(on)} on edges, {off} off them"
    if row["wrong_pixels"] is None:
        return "not recorded"
    if row["wrong_pixels"]:
        return _differ(row["wrong_pixels"])
    return "every pixel right"


def _differ(pixels):
    return f"{numbers.count(pixels, 'pixel')} differ{'s' if pixels == 1 else ''}"


def _dots(values):
    """Lay samples out in the order in which they were taken, top to bottom, in `STRIP`."""
    if not values:
        return []
    width, height = STRIP
    scale = axis.around(values, stop=width)
    last = max(len(values) - 1, 1)
    return [(scale.at(value), round(height * n / last, 1)) for n, value in enumerate(values)]
