"""Bars: requirements of times and peaks, and whether a run meets them."""

from dataclasses import dataclass

from benchmarks.harness.tables import table
from ladder.common import confidence
from polymask.common import figures


@dataclass(frozen=True, kw_only=True)
class Bar:
    """A requirement: a number of a row, or its ratio to other rows of the scene."""

    title: str
    scene: str = ""  # any, if empty
    row: str
    of: str = "samples_s"  # the row's field
    over: str = ""  # the rows whose number is the unit begin with this; the worst ratio counts
    faster: bool = False  # whether the ratio is that of `over` to the row, and at least the limit
    limit: float  # seconds, or a ratio

    def value(self, run):
        """Return the value and its 95 % interval, or None if a row was not measured."""
        rows = [row for row in run.rows if row.ok and self.scene in ("", row.scene)]
        (samples,) = [self.samples(row) for row in rows if row.key == self.row] or [[]]
        if not samples:
            return None
        if not self.over:
            return confidence.median(samples), confidence.bootstrap_ci95(samples)
        units = [self.samples(row) for row in rows if row.key.startswith(self.over)]
        pairs = [(unit, samples) if self.faster else (samples, unit) for unit in units if unit]
        worst = min if self.faster else max
        return worst((confidence.ratio(*pair) for pair in pairs), key=lambda r: r[0], default=None)

    def samples(self, row):
        """Return the numbers of a row as a list."""
        numbers = getattr(row, self.of)
        return numbers if isinstance(numbers, list) else [numbers] * (numbers is not None)

    def is_met_by(self, value):
        """Return whether a value meets the bar."""
        return value >= self.limit if self.faster else value <= self.limit


def bars_table(bars, run, more=()):
    """Return bars as Markdown, and more rows: limit, value, interval, and whether it is met."""
    rows = []
    for bar in bars:
        write = figures.digits if bar.over else figures.seconds
        value, ends, verdict = "", "", "not measured"
        if measured := bar.value(run):
            value, ends = write(measured[0]), measured[1]
            ends = figures.of_ratio(ends) if bar.over else figures.interval(ends)
            verdict = "met" if bar.is_met_by(measured[0]) else "**missed**"
        limit = f"{'≥' if bar.faster else '≤'} {write(bar.limit)}"
        rows.append((bar.title, limit, value, ends, verdict))
    return table(("bar", "limit", "value", "interval", ""), [*rows, *more])
