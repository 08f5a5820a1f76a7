"""The tables of a run: time, memory and differing pixels of each contender, and the bars."""

from typing import NamedTuple

from benchmarks.cuda.report import table
from benchmarks.large.contenders import LAZY, LOOP
from benchmarks.many import report as many
from ladder.common import confidence
from polymask.common import figures

HEADINGS = ("", "time", "times polymask.dask's", "peak", "times", "differ", "off edges")
LEGEND = (
    "Time: the median of the runs, each in a new process, from polygons in the library's usual "
    "form to the written array. Peak: the largest memory of the process, with the interpreter, the "
    "libraries and the polygons. Differ: the pixels that differ from the first row's; off edges: "
    "the ones whose sample lies on no edge, where only one answer is right."
)


class Bar(NamedTuple):
    """A limit for a ratio of `polymask.dask` and other rows: the worst of them counts."""

    title: str
    others: str  # the beginning of their keys
    of: str  # "time" or "peak"
    faster: bool  # whether the others must have at least `limit` times the value
    limit: float

    def value(self, run):
        """Return the ratio; None if a row was not measured."""
        ours = next((row for row in run.rows if row.key == LAZY and row.ok), None)
        others = [row for row in run.rows if row.key.startswith(self.others) and row.ok]
        if not ours or not others:
            return None
        if self.faster:
            return min(ratio(other, ours, self.of) for other in others)
        return max(ratio(ours, other, self.of) for other in others)

    def is_met_by(self, value):
        """Return whether a value meets the bar."""
        return value >= self.limit if self.faster else value <= self.limit


BARS = (
    Bar("time, relative to the loop over windows", LOOP, "time", False, 1.15),
    Bar("times as fast as xarray-spatial", "xarray-spatial", "time", True, 2.5),
    Bar("peak, relative to xarray-spatial's", "xarray-spatial", "peak", False, 0.5),
    Bar("times as fast as rasterix, with its fastest engine", "rasterix", "time", True, 6),
)


def ratio(row, unit, of):
    """Return the ratio of the times or of the peaks of two rows."""
    if of == "time":
        return confidence.median_ratio(row.samples_s, unit.samples_s)
    return row.peak_bytes / unit.peak_bytes


def bars_table(run):
    """Return the bars as Markdown: limit, value, and whether it is met."""
    rows = []
    for bar in BARS:
        value = bar.value(run)
        verdict = "not measured"
        if value is not None:
            verdict = "met" if bar.is_met_by(value) else "**missed**"
        limit = f"{'≥' if bar.faster else '≤'} {bar.limit:g}"
        rows.append((bar.title, limit, "" if value is None else figures.digits(value), verdict))
    return table(("bar", "limit", "value", ""), rows)


def rows_table(run):
    """Return the contenders with a time as Markdown."""
    ours = next((row for row in run.rows if row.key == LAZY and row.ok), None)
    rows = []
    for row in run.rows:
        if row.ok:
            times, peaks = (
                figures.digits(ratio(row, ours, of)) if ours and row.peak_bytes else ""
                for of in ("time", "peak")
            )
            differ, off_edges = map(many.format_count, (row.differ, row.differ_off_edges))
            time, peak = figures.seconds(row.median_s), figures.size(row.peak_bytes)
            rows.append((row.key, time, times, peak, peaks, differ, off_edges))
    return table(HEADINGS, rows)


def markdown(run):
    """Return bars, rows, legend, notes and machine as Markdown."""
    (scene,) = run.scenes
    items = "\n".join(f"- {note}" for note in many.notes(run))
    parts = ["# An image larger than memory\n", bars_table(run), f"**{many.title(scene)}**\n"]
    return "\n".join([*parts, rows_table(run), LEGEND, "", items]) + "\n"
