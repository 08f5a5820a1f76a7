"""The rows as tables: the speed-up table with what it is sorted by, and how each was measured."""

from dataclasses import dataclass

from polymask.cost import amdahl
from polymask.ladder import registry
from polymask.report import columns, figures, origin, sweeps, table
from polymask.report.charts import drawing
from polymask.report.charts import samples as strips


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
    wanted, lines = columns.shown(result), []
    for row in table.ordered(result):
        cells = [Cell(column.cell(row, result), column.value(row)) for column in wanted]
        lines.append(Line(row.key, row.status, row.other_algorithm, cells))
    return Table([(column.heading, not column.words) for column in wanted], lines)


@dataclass(frozen=True)
class Measured:
    """How a row was measured, in words, and its samples as markup of a drawing."""

    key: str
    title: str
    status: str
    reason: str
    samples: int
    ends: str
    strip: str
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
PLACES = {"fresh": "a new array", "out": "one that is there"}


def measured(result, name):
    """Say of every row how it was measured, under the headings of `MEASURED`."""
    base = result.samples(registry.BASE)
    rows = enumerate(table.ordered(result))
    return [_measured(row, base, f"{name}-samples{number}") for number, row in rows]


def _measured(row, base, name):
    values = row.samples_s
    ends = " to ".join(figures.seconds(find(values)) for find in (min, max)) if values else ""
    label = f"{figures.count(row.samples, 'sample')}, {ends}"
    included = f"; timed with it: {row.included}" if row.included else ""
    options = (f"{name}={origin.text(name, value)}" for name, value in row.options.items())
    speedup = figures.ratio(row.speedup, min(base, row.samples))
    return Measured(
        key=row.key,
        title=row.title + included,
        status=row.status,
        reason=row.reason or "no reason recorded",
        samples=row.samples,
        ends=ends,
        strip=drawing.inline(strips.draw(row), name, label, "samples") if values else "",
        texts=[
            _with_interval(figures.seconds(row.median_s), figures.interval(row.ci95_s)),
            _with_interval(speedup, figures.of_ratio(row.speedup_ci95)),
            figures.seconds(row.first_call_s) or "not recorded",
            figures.seconds(row.kernel_s),
            _checked(row),
            _threads(row),
            PLACES.get(row.mask, row.mask),
            ", ".join(options) or "none",
            ", ".join(row.flags) or "none",
        ],
    )


def _with_interval(text, interval):
    """Put an interval behind a number; what has none rests on too few samples."""
    if not text:
        return ""
    return f"{text} ({interval})" if interval else f"{text} (few samples)"


def _threads(row):
    """Say how many threads there were, and how many cores were busy."""
    used = "not known" if row.threads is None else str(row.threads)
    return used + (f", {row.cores_used:.1f} cores busy" if row.cores_used else "")


def _checked(row):
    """Say whether the mask was held against the reference."""
    if row.differ_off_edges is not None:
        on, off = row.differ_on_edges, row.differ_off_edges
        return f"{_differ(on)} on edges, {off} off them"
    if row.wrong_pixels is None:
        return "not recorded"
    if row.wrong_pixels:
        return _differ(row.wrong_pixels)
    return "every pixel right"


def _differ(pixels):
    return f"{figures.count(pixels, 'pixel')} differ{'s' if pixels == 1 else ''}"


MOST_COLUMNS = 12
LAWS = ("row", "serial share", "95 %", "serial", "parallel", "at most × one thread")
LAWS += ("farthest from the law",)


def laws(found):
    """Return Amdahl's laws of a sweep over threads.

    Returns
    -------
    list of tuple of str
        A row each, below `LAWS`.
    list of str
        What is to be said besides.
    bool
        Whether each is but an estimate of two counts.
    """
    fits = amdahl.of_sweep(found) if found.over == "threads" else {}
    held = {key: sweeps.held(fit) for key, fit in fits.items()}
    remarks = [f"{key}: {remark}" for key, remark in held.items() if remark]
    rows = [_law(key, fit, held[key]) for key, fit in fits.items()]
    return rows, remarks, any(fit.exact for fit in fits.values())


def _law(key, fit, held):
    return (
        key,
        # where a term was held at zero, its share and what follows from it were not fitted
        "" if held else sweeps.percent(fit.share),
        "" if held else sweeps.share_interval(fit),
        figures.seconds(fit.serial_s) if fit.serial_s else "0",
        figures.seconds(fit.parallel_s) if fit.parallel_s else "0",
        "" if held or not fit.share else figures.digits(1 / fit.share, 2),
        "" if fit.exact else sweeps.percent(fit.deviation),
    )


def medians(found):
    """Return the table of medians: (headings, rows of texts).

    A column a value; where that is more than paper holds, a row a value.
    """
    rows = [(found.over, *map(str, found.values)), *sweeps.rows(found)]
    if len(found.values) > MOST_COLUMNS and len(rows) < len(found.values):
        rows = list(zip(*rows, strict=True))
    return rows[0], rows[1:]
