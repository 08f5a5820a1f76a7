"""The columns of the table of rows: what each shows, is sorted by, and when it makes room.

Terminal, Markdown, page and notebook read this list. A new column is one more entry here; it shows
where some row fills it.
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
    value: Callable  # `Row` to what it is sorted by: a number, a word, or None
    write: Callable = str  # a value to its text
    text: Callable | None = None  # (`Row`, `Result`) to the text, if that needs more than the value
    words: bool = False  # it holds words, which stand at the left; numbers stand at the right
    known: bool = False  # rows without a time fill it too
    front: bool = False  # one of the few that a reader sees first; the others are asked for
    # When it leaves a table that is too wide for the terminal, without other libraries and beside
    # them: the lowest number first. None where it is no part of such a table.
    alone: float | None = None
    beside: float | None = None
    legend: str = ""  # what it holds, for those who read it the first time

    def cell(self, row, result):
        """Return a row's text; an empty one where the row has nothing to show here."""
        if not (row.ok or self.known):
            return ""
        if self.text:
            return self.text(row, result)
        value = self.value(row)
        return "" if value is None else self.write(value)


def ratio(heading, value, against=None, **others):
    """Return a column of ratios, with the digits that both sides have samples for.

    `against` is a function: `Row` to the key of the other side; None where that has enough.
    """

    def text(row, result):
        other = result.samples(against(row)) if against else row.samples
        return figures.ratio(value(row), min(row.samples, other))

    return Column(heading, value, text=text, **others)


def style(row):
    """Return how a rung's source speaks of the pixels, as the registry says, in old results too."""
    rung = registry.BY_KEY.get(row.key)
    return rung and rung.style


def batch_rate(row, _):
    """Return how many masks a second a batch had."""
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
    """Return when a column leaves a result's table; None where it is no part of it."""
    return column.beside if result.with_peers else column.alone


def shown(result, every=True):
    """Return the columns that a result's table has where there is room: those that a row fills.

    Without `every`, only those that a reader sees first; beside other libraries all are.
    """
    return [
        column
        for column in COLUMNS
        if leaves(column, result) is not None
        and (column.front or every or result.with_peers)
        and any(column.cell(row, result) for row in result.rows)
    ]


def key_first(found):
    """Return columns in the order of a page: those first that a narrow window has room for."""
    return sorted(found, key=lambda column: column.alone != STAYS)
