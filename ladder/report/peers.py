"""Comparisons of `polygon_mask` with the fastest other libraries."""

from ladder.bench.result import API_FRESH, API_OUT
from ladder.common import confidence
from polymask.common import figures


def notes(result):
    """Compare `polygon_mask` with the fastest libraries, and describe the timed calls of each."""
    rows = result.timed
    peers = [row for row in rows.values() if row.kind == "peer"]
    if not peers:
        return []
    api = [rows[key] for key in (API_FRESH, API_OUT) if key in rows]
    return [compare(row, peers) for row in api] + describe_calls(result)


def describe_calls(result):
    """Return the version, the function and other timed work of each library."""
    versions = result.machine.packages
    return [
        f"{row.key}: {row.package} {versions.get(row.package) or ''}, {row.title}"
        + (f"; the time includes {row.included}." if row.included else ".")
        for row in result.rows
        if row.kind == "peer" and row.ok
    ]


def compare(row, peers):
    """Compare a row with the fastest peer, and with the fastest one that is exact off the edges."""
    peers = sorted(peers, key=lambda row: row.median_s)
    first = peers[0]
    text = f"{row.title}: {times_as_fast(row, first)} times as fast as the fastest library, "
    exact = [peer for peer in peers if peer.differ_off_edges == 0]
    if first in exact:
        return f"{text}{first.key}, which is exact off the edges."
    if not exact:
        return f"{text}{first.key}."
    return (
        f"{text}{first.key}, and {times_as_fast(row, exact[0])} times as fast as the fastest "
        f"that is exact off the edges, {exact[0].key}."
    )


def times_as_fast(row, other):
    """Write a row's speed-up over `other`, the median of ratios."""
    ratio = confidence.median_ratio(other.samples_s, row.samples_s)
    return figures.ratio(ratio, min(row.samples, other.samples))
