"""The speed-ups as bars on a logarithmic axis, the course's beside ours."""

from dataclasses import dataclass

from polymask.report import numbers, table
from polymask.report.html import axis


@dataclass(frozen=True)
class Bar:
    """A bar from 1 to a speed-up: where it begins, how long it is, in per cent."""

    x: float
    width: float
    text: str
    interval: str = ""


@dataclass(frozen=True)
class Row:
    """A row of the chart: ours, and the course's where it has one."""

    key: str
    other_algorithm: bool
    ours: Bar
    course: Bar | None


@dataclass(frozen=True)
class Chart:
    """The rows, where 1 lies, and the ticks."""

    rows: list[Row]
    one: float
    ticks: list


def chart(result):
    """Lay out the speed-ups of a result; None where it has none."""
    rows = [row for row in result["rows"] if row["speedup"]]
    if not rows:
        return None
    values = [row[name] for row in rows for name in ("speedup", "course_speedup") if row[name]]
    scale = axis.around([*values, 1.0], 1.5)
    base = table.base_samples(result)
    made = []
    for row in rows:
        text = numbers.ratio(row["speedup"], min(base, row["samples"]))
        interval = numbers.of_ratio(row["speedup_ci95"])
        ours = _bar(scale, row["speedup"], text, interval)
        course = row["course_speedup"]
        theirs = _bar(scale, course, numbers.stated(course)) if course else None
        made.append(Row(row["key"], row["other_algorithm"], ours, theirs))
    return Chart(made, scale.at(1.0), axis.ticks(scale, axis.times_tick))


def _bar(scale, value, text, interval=""):
    ends = sorted((scale.at(1.0), scale.at(value)))
    width = max(ends[1] - ends[0], 0.4)  # a bar of no length at 1 is still to be seen
    return Bar(ends[0], round(width, 2), text, interval)
