"""The columns of the table of rows: their texts, sort keys, and order of removal.

Terminal, Markdown, page and notebook read this list. A new column is one more entry; it is shown
if at least one row fills it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from polymask.ladder import registry
from polymask.report import figures
from polymask.report.tables import STAYS


@dataclass(frozen=True)
class Column:
    """One column."""

    heading: str
    value: Callable  # from a `Row` to its sort key: a number, a word, or None
    write: Callable = str  # from a value to its text
    text: Callable | None = None  # from (`Row`, `Result`) to the text, if the value is not enough
    words: bool = False  # holds words, aligned left; numbers are aligned right
    known: bool = False  # also filled by rows without a time
    front: bool = False  # shown by default; the other columns only on request
    # Order of removal from a table that is too wide, without and with other libraries: the lowest
    # number goes first. None: the column is not part of such a table.
    alone: float | None = None
    beside: float | None = None
    legend: str = ""  # its meaning, for new readers

    def cell(self, row, result):
        """Return a row's text, empty if the row has no value."""
        if not (row.ok or self.known):
            return ""
        if self.text:
            return self.text(row, result)
        value = self.value(row)
        return "" if value is None else self.write(value)


def ratio(heading, value, against=None, **others):
    """Return a column of ratios, with as many digits as the samples of both sides justify.

    `against` maps a `Row` to the key of the other side; None if that side has enough samples.
    """

    def text(row, result):
        other = result.samples(against(row)) if against else row.samples
        return figures.ratio(value(row), min(row.samples, other))

    return Column(heading, value, text=text, **others)


def style(row):
    """Return the registry's style of a rung, which old results lack."""
    rung = registry.BY_KEY.get(row.key)
    return rung and rung.style


def batch_rate(row, _):
    """Return the masks per second of a row's batch."""
    return figures.ratio(1 / row.batch.mask_s, len(row.batch.samples_s)) if row.batch else ""


BASE, MEMSET = registry.BASE, "× memset: times as long as filling a new mask with ones."
COLUMNS = (
    Column(
        "row", lambda row: row.key, text=lambda row, _: row.key + " ¹" * row.other_algorithm,
        words=True, known=True, front=True, alone=STAYS, beside=STAYS,
    ),
    Column("changes", lambda row: row.changes, words=True, known=True, front=True, alone=8),
    Column(
        "style", style, words=True, known=True, alone=0.5,
        legend="Style: whether the source speaks of the pixels by whole arrays, by a loop, or by a "
        "kernel, a function of one pixel or row.",
    ),
    Column(
        "time", lambda row: row.median_s,
        text=lambda row, _: figures.seconds(row.median_s) if row.ok else row.status,
        known=True, front=True, alone=STAYS, beside=STAYS,
        legend="Time: median of n samples, with the 95 % interval that they allow, and the least; "
        "end to end, each mask a new array.",
    ),
    Column(
        "95 %", lambda row: row.ci95_s and row.ci95_s[0],
        text=lambda row, _: figures.interval(row.ci95_s), alone=3,
    ),
    Column("least", lambda row: row.min_s, figures.seconds, alone=2),
    Column("n", lambda row: row.samples, alone=6, beside=1),
    ratio(
        "speed-up", lambda row: row.speedup, lambda row: BASE,
        front=True, alone=STAYS, beside=3, legend=f"Speed-up: against {BASE}.",
    ),
    ratio(
        "× before", lambda row: row.speedup_before, lambda row: row.before,
        front=True, alone=STAYS, beside=2,
        legend="× before: against the row that its lesson departs from.",
    ),
    ratio("× memset", lambda row: row.times_yardstick, alone=7, beside=4, legend=MEMSET),
    Column(
        "cores", lambda row: row.cores_used or None, "{:.1f}".format, alone=4,
        legend="Cores: as many as were busy.",
    ),
    Column(
        "batch: masks/s", lambda row: row.batch and 1 / row.batch.mask_s, text=batch_rate, alone=0,
        legend="Batch: masks a second where those of several polygons are asked for together.",
    ),
    Column("first call", lambda row: row.first_call_s, figures.seconds, alone=1),
    Column(
        "instr./px", lambda row: row.instructions_per_pixel, figures.digits, alone=10, beside=2.5,
        legend="Instr./px: instructions per pixel, with one thread; not of a device.",
    ),
    Column("course: time", lambda row: row.course_s, figures.seconds_tick, known=True, alone=5),
    Column(
        "course: speed-up", lambda row: row.course_speedup, figures.stated,
        known=True, front=True, alone=9,
    ),
    ratio("× api.fresh", lambda row: row.times_api, beside=5),
    Column("differ on edges", lambda row: row.differ_on_edges or 0, beside=STAYS),
    Column("off edges", lambda row: row.differ_off_edges or 0, beside=STAYS),
)  # fmt: skip


def leaves(column, result):
    """Return a column's order of removal from a result's table; None if it is not part of it."""
    return column.beside if result.with_peers else column.alone


def shown(result, every=True):
    """Return the columns of a result's table, given enough room: those that a row fills.

    Without `every`, only the default columns, except in a table with other libraries.
    """
    return [
        column
        for column in COLUMNS
        if leaves(column, result) is not None
        and (column.front or every or result.with_peers)
        and any(column.cell(row, result) for row in result.rows)
    ]


def key_first(columns):
    """Return columns in the order of a page: those for narrow windows first."""
    return sorted(columns, key=lambda column: column.alone != STAYS)
