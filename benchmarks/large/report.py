"""The tables of a run: time, memory and differing pixels of each contender, and the bars."""

from benchmarks.harness import tables
from benchmarks.harness.bars import Bar, bars_table
from benchmarks.large.contenders import LAZY, LOOP
from ladder.common import confidence
from polymask.common import figures

HEADINGS = ("", "time", "times polymask.dask's", "peak", "times", "differ", "off edges")
LEGEND = (
    "Time: the median of the runs, each in a new process, from polygons in the library's usual "
    "form to the written array. Peak: the largest memory of the process, with the interpreter, the "
    "libraries and the polygons. Differ: the pixels that differ from the first row's; off edges: "
    "the ones whose sample lies on no edge, where only one answer is right."
)
BARS = (
    Bar(title="time, relative to the loop over windows", row=LAZY, over=LOOP, limit=1.15),
    Bar(title="times as fast as xarray-spatial", row=LAZY, over="xarray-spatial", faster=True,
        limit=2.5),
    Bar(title="peak, relative to xarray-spatial's", row=LAZY, of="peak_bytes",
        over="xarray-spatial", limit=0.5),
    Bar(title="times as fast as rasterix, with its fastest engine", row=LAZY, over="rasterix",
        faster=True, limit=6),
)  # fmt: skip


def rows_table(run):
    """Return the contenders with a time as Markdown."""
    ours = next((row for row in run.rows if row.key == LAZY and row.ok), None)
    rows = []
    for row in run.rows:
        if row.ok:
            times = peaks = ""
            if ours and row.peak_bytes:
                times = figures.digits(confidence.median_ratio(row.samples_s, ours.samples_s))
                peaks = figures.digits(row.peak_bytes / ours.peak_bytes)
            differ, off_edges = map(tables.format_count, (row.differ, row.differ_off_edges))
            time, peak = figures.seconds(row.median_s), figures.size(row.peak_bytes)
            rows.append((row.key, time, times, peak, peaks, differ, off_edges))
    return tables.table(HEADINGS, rows)


def markdown(run):
    """Return bars, rows, legend, notes and machine as Markdown."""
    (scene,) = run.scenes
    parts = [bars_table(BARS, run), f"**{tables.title(scene)}**\n", rows_table(run)]
    return tables.page(run, "An image larger than memory", parts, LEGEND)
