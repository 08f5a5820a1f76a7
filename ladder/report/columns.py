"""The columns of the table of rows: their texts, and order of removal.

The terminal, Markdown, the page and notebooks read this list. A new column is one more entry; it is
shown if at least one row has a value.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ladder import registry
from ladder.report.text_table import STAYS
from polymask.common import figures


@dataclass(frozen=True)
class Column:
    """One column."""

    heading: str
    value: Callable  # from a `Row` to its value: a number, a word, or None
    write: Callable = str  # from a value to its text
    text: Callable | None = None  # from (`Row`, `Result`) to the text, if the value is not enough
    words: bool = False  # whether it holds words, aligned left; numbers are aligned right
    known: bool = False  # whether rows without a time have a value, too
    front: bool = False  # whether it is shown by default; other columns are shown on request
    # Order of removal from a table that is too wide, without and with other libraries: the lowest
    # number is removed first. With None, the column is not part of such a table.
    alone: float | None = None
    beside: float | None = None
    legend: str = ""  # its meaning, for new readers

    def cell(self, row, result):
        """Return the text for a row, empty if the row has no value."""
        if not (row.ok or self.known):
            return ""
        if self.text:
            return self.text(row, result)
        value = self.value(row)
        return "" if value is None else self.write(value)


def ratio(heading, value, against=None, **others):
    """Return a column of ratios, with as many digits as the samples of both rows justify.

    `against` maps a `Row` to the key of the other row, or is None if that has enough samples.
    """

    def text(row, result):
        other = result.samples(against(row)) if against else row.samples
        return figures.ratio(value(row), min(row.samples, other))

    return Column(heading, value, text=text, **others)


def batch_rate(row, _):
    """Return the number of masks per second in a row's batch."""
    return figures.ratio(1 / row.batch.mask_s, len(row.batch.samples_s)) if row.batch else ""


BASE, MEMSET = registry.BASE, "× memset: times as long as filling a new mask with ones."
COLUMNS = (
    Column(
        "row", lambda row: row.key, text=lambda row, _: row.key + " ¹" * row.other_algorithm,
        words=True, known=True, front=True, alone=STAYS, beside=STAYS,
    ),
    Column("changes", lambda row: row.changes, words=True, known=True, front=True, alone=8),
    Column(
        "time", lambda row: row.median_s,
        text=lambda row, _: figures.seconds(row.median_s) if row.ok else row.status,
        known=True, front=True, alone=STAYS, beside=STAYS,
        legend="Time: the median of n samples of a whole call that makes a new array, with its "
        "95 % interval and the minimum.",
    ),
    Column(
        "95 %", lambda row: row.ci95_s and row.ci95_s[0],
        text=lambda row, _: figures.interval(row.ci95_s), alone=3,
    ),
    Column("least", lambda row: row.min_s, figures.seconds, alone=2),
    Column(
        "kernel", lambda row: row.kernel_s, figures.seconds, front=True, alone=8.5,
        legend="Kernel: its part of the time, by the device's clock.",
    ),
    Column("n", lambda row: row.samples, alone=6, beside=1),
    ratio(
        "speed-up", lambda row: row.speedup, lambda row: BASE,
        front=True, alone=STAYS, beside=3, legend=f"Speed-up: over {BASE}.",
    ),
    ratio(
        "× before", lambda row: row.speedup_before, lambda row: row.before,
        front=True, alone=STAYS, beside=2,
        legend="× before: speed-up over the rung that its lesson starts from.",
    ),
    ratio("× memset", lambda row: row.times_yardstick, alone=7, beside=4, legend=MEMSET),
    Column(
        "cores", lambda row: row.cores_used or None, "{:.1f}".format, alone=4,
        legend="Cores: the average number of busy cores.",
    ),
    Column(
        "batch: masks/s", lambda row: row.batch and 1 / row.batch.mask_s, text=batch_rate, alone=0,
        legend="Batch: masks per second if one call makes the masks of several polygons.",
    ),
    Column("first call", lambda row: row.first_call_s, figures.seconds, alone=1),
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
    """Return a column's order of removal from a result's table, or None if it is not in it."""
    return column.beside if result.with_peers else column.alone


def select(result, all_columns=True):
    """Return the columns of a result's table if there is enough room: those with a value.

    Without `all_columns`, return only the default columns, except in a table with other libraries.
    """
    return [
        column
        for column in COLUMNS
        if leaves(column, result) is not None
        and (column.front or all_columns or result.with_peers)
        and any(column.cell(row, result) for row in result.rows)
    ]
