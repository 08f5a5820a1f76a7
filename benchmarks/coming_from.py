"""The numbers in the page "Coming from another library", whose words and code are hand-written."""

from polymask.bench.result import API_FRESH
from polymask.report import figures, marks, peers, table

HEADINGS = """
| pixels | vertices | there | here | times as fast | differ on edges | off edges |
|:--|--:|--:|--:|--:|--:|--:|
"""
ORIGIN = "origin"  # what is named by the marks that are not of a library's row


def rewrite(page, results):
    """Write a page's tables again, of results with peers; `ValueError` where that cannot be."""
    if not all(result.with_peers for result in results):
        raise ValueError("a result without other libraries: measure it with --peers")

    def write(name):
        if name == ORIGIN:
            lines = map(origin, results)
        else:  # the key of a library's row
            lines = [HEADINGS, *(line(name, result) for result in results)]
        return name, "".join(lines) + "\n"

    marks.rewrite(page, write)


def line(key, result):
    """Return the line for one result."""
    there, here = result.row(key), result.row(API_FRESH)
    if there is None:
        raise ValueError(f"marks name {key}, of which there is no row in {table.heading(result)}")
    if not (there.ok and here.ok):
        bad = here if there.ok else there
        texts = [f"{bad.status}: {bad.reason}", "", "", "", ""]
    else:
        texts = [
            figures.seconds(there.median_s),
            figures.seconds(here.median_s),
            peers.times_as_fast(here, there),
            str(there.differ_on_edges),
            str(there.differ_off_edges),
        ]
    return f"| {' | '.join([table.image(result), str(result.workload.vertices), *texts])} |\n"


def origin(result):
    """Return where the numbers of a result come from, and what is timed with each library."""
    lines = peers.describe_calls(result) + table.machine_notes(result)
    return f"\n**{table.heading(result)}**\n\n" + "".join(f"- {line}\n" for line in lines)
