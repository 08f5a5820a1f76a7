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
    wanted, base = table.headings(result), table.base_samples(result)
    headings = [(name, right) for name, right in table.COLUMNS if name in wanted]
    lines = []
    for row in table.ordered(result):
        texts = zip(table.COLUMNS, table.cells(row, base), strict=True)
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
    least: str
    greatest: str
    facts: list[tuple[str, str]]


def measured(result):
    """Say of every row how it was measured."""
    base = table.base_samples(result)
    return [_measured(row, base) for row in table.ordered(result)]


def _measured(row, base):
    facts = []

    def say(name, text):
        if text:
            facts.append((name, text))

    if row["status"] == "ok":
        say("median", numbers.seconds(row["median_s"]))
        say("95 % of the median", numbers.interval(row["ci95_s"]) or "no interval: few samples")
        few = min(base, row["samples"])
        if row["speedup"]:
            interval = numbers.of_ratio(row["speedup_ci95"])
            interval = f" ({interval})" if interval else ", no interval: few samples"
            say("speed-up", numbers.ratio(row["speedup"], few) + interval)
        say("kernel alone, by the device's clock", numbers.seconds(row["kernel_s"]))
    say("first call", numbers.seconds(row["first_call_s"]))
    say("checked", _checked(row))
    threads = f"{row['threads']}" if row["threads"] is not None else "not known"
    busy = f"; {row['cores_used']:.1f} cores were busy" if row["cores_used"] else ""
    say("threads", threads + busy)
    places = {"fresh": "a new array each time", "out": "an array that is there"}
    say("mask into", places.get(row["mask"], row["mask"]))
    options = (f"{name}={origin.text(name, value)}" for name, value in row["options"].items())
    say("options", ", ".join(options) or "none")
    say("timed beside it", row.get("included"))
    say("flags", ", ".join(row["flags"]) or "none")
    values = row["samples_s"] if row["status"] == "ok" else []
    return Measured(
        key=row["key"],
        title=row["title"] or "",
        status=row["status"],
        reason=row["reason"] or "",
        samples=row["samples"],
        dots=_dots(values),
        least=numbers.seconds(min(values, default=None)),
        greatest=numbers.seconds(max(values, default=None)),
        facts=facts,
    )


def _checked(row):
    """Say whether the mask was held against the reference."""
    if row.get("differ_off_edges") is not None:
        on, off = row["differ_on_edges"], row["differ_off_edges"]
        return f"{on} pixels differ from the reference on edges, {off} off them"
    if row["wrong_pixels"] is None:
        return "not recorded"
    if row["wrong_pixels"]:
        return f"{row['wrong_pixels']} pixels differ from the reference"
    return "equal to the reference, every pixel"


def _dots(values):
    """Lay samples out in the order in which they were taken, top to bottom: (x, y) in per cent."""
    if not values:
        return []
    scale = axis.around(values)
    last = max(len(values) - 1, 1)
    return [(scale.at(value), round(100 * place / last, 1)) for place, value in enumerate(values)]
