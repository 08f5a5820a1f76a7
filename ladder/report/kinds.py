"""The kinds of results: how each is shown in a terminal, written to files, and put into pages."""

from collections.abc import Callable
from dataclasses import dataclass

from ladder.bench.result import Result, Sweep
from ladder.common import checkout
from ladder.report import readme, sweeps, table
from ladder.report.charts import curves, polygon, speedups


@dataclass(frozen=True)
class Kind:
    """A kind of result. The first argument of all functions but `rewrite` is the result."""

    for_terminal: Callable  # (result, width, all_columns): the table, for rich
    notes: Callable  # (result, all_columns): the lines below the table
    markdown: Callable
    draw: Callable  # returns the chart
    rewrite: Callable  # (page, file of the result): write the table between the marks of a page
    polygon: Callable = lambda result: None  # returns a picture of the polygon
    on_page: bool = True  # whether the HTML page shows it


SINGLE = Kind(
    table.for_terminal, table.notes, table.markdown, speedups.draw, readme.rewrite, polygon.draw
)
SWEEP = Kind(
    lambda sweep, width, _: sweeps.for_terminal(sweep, width),
    lambda sweep, _: sweeps.notes(sweep),
    sweeps.markdown,
    lambda sweep: (curves.draw_scaling if sweep.over == "threads" else curves.draw)(sweep),
    readme.rewrite,
)


def of(result):
    """Return the kind of a result, a sweep, or a run on many polygons."""
    known = {Result: SINGLE, Sweep: SWEEP}.get(type(result))
    return known or checkout.load("benchmarks.many.report").KIND
