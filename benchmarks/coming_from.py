"""The tables of the page "Coming from another library"; its text and code are written by hand."""

from ladder.bench.result import API_FRESH
from ladder.report import marks, peers, table
from polymask.common import figures

HEADINGS = """
| pixels | vertices | there | here | times as fast | differ on edges | off edges |
|:--|--:|--:|--:|--:|--:|--:|
"""
ORIGIN = "origin"  # the name in the marks around the origin of the numbers


def rewrite(page, results):
    """Update a page's tables from results with peers; raise a `ValueError` if a row is missing."""
    if not all(result.with_peers for result in results):
        raise ValueError("a result has no rows of other libraries: measure it with --peers")

    def write(name):
        if name == ORIGIN:
            lines = map(origin, results)
        else:  # the key of a library's row
            lines = [HEADINGS, *(line(name, result) for result in results)]
        return name, "".join(lines) + "\n"

    marks.rewrite(page, write)


def line(key, result):
    """Return the table's line for a library and a result."""
    peer_row, api_row = result.row(key), result.row(API_FRESH)
    if peer_row is None:
        raise ValueError(f"marks name {key}, which has no row in {table.heading(result)}")
    if not (peer_row.ok and api_row.ok):
        bad = api_row if peer_row.ok else peer_row
        texts = [f"{bad.status}: {bad.reason}", "", "", "", ""]
    else:
        texts = [
            figures.seconds(peer_row.median_s),
            figures.seconds(api_row.median_s),
            peers.times_as_fast(api_row, peer_row),
            str(peer_row.differ_on_edges),
            str(peer_row.differ_off_edges),
        ]
    return f"| {' | '.join([table.image(result), str(result.workload.vertices), *texts])} |\n"


def origin(result):
    """Return the origin of a result's numbers, and the work that is timed with each library."""
    lines = peers.describe_calls(result) + table.machine_notes(result)
    return f"\n**{table.heading(result)}**\n\n" + "".join(f"- {line}\n" for line in lines)
