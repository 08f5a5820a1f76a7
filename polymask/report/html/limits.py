"""Why a row is as fast as it is: its time beside the least that its work allows."""

from dataclasses import dataclass

from polymask.report import bounds, numbers
from polymask.report.html import axis


@dataclass(frozen=True)
class Row:
    """A row's limit and its time, in per cent of the axis, and both in words."""

    key: str
    limit: float
    time: float
    text: str
    words: str
    why: list[tuple[str, str, str]]


@dataclass(frozen=True)
class Chart:
    """The rows, the ticks, and what the border of Python costs, where that was measured."""

    rows: list[Row]
    ticks: list
    border: str


def missing(result):
    """Say why a result has no bounds, and what to do; nothing where it has some."""
    if bounds.bounds(result):
        return ""
    if 0 in result["workload"]["shape"]:
        return "An image without pixels takes no work: nothing limits it."
    if not result["yardstick"].get("prices"):
        return (
            "Not told here: this result holds no prices of single operations on its machine. "
            "Measure again with `polymask bench`, which takes them in the same run, once the "
            "modules are built."
        )
    return (
        "Not told here: of no row with a time are both work counted and prices known. Measure "
        "rungs that run on the CPU with `polymask bench`."
    )


def chart(result):
    """Lay out the bounds of a result; None where none can be told."""
    found = bounds.bounds(result)
    if not found:
        return None
    seconds = [time for one in found.values() for time in (one.median_s, one.limit.seconds)]
    scale = axis.around(seconds, 1.6)
    rows = [
        Row(
            key=key,
            limit=scale.at(one.limit.seconds),
            time=scale.at(one.median_s),
            text=_text(one),
            words=one.words,
            why=[(limit.name, numbers.seconds(limit.seconds), limit.why) for limit in one.limits],
        )
        for key, one in found.items()
    ]
    return Chart(rows, axis.ticks(scale, axis.seconds_tick), bounds.border_words(result))


def _text(bound):
    """Write a bound and the time, and how far apart they are."""
    times = f"{numbers.digits(bound.distance, 2)} × " if bound.explained else "not "
    ends = f"{numbers.seconds(bound.limit.seconds)} → {numbers.seconds(bound.median_s)}"
    return f"{times}{bound.limit.name}: {ends}"
