"""Texts of a run: Markdown tables, scenes, and notes on contenders and machine."""

from ladder.report import table as machine_table
from ladder.report import text_table
from polymask.common import figures


def table(headings, rows):
    """Return a Markdown table, whose first column holds words."""
    return "\n".join([*text_table.markdown(text_table.make("", headings, 1, rows)), ""])


def format_count(number):
    """Return a count as a text, which is empty for None."""
    return "" if number is None else f"{number:,}"


def title(scene):
    """Describe a scene and its task in one line."""
    rows, cols = scene.shape
    vertices = f", {scene.vertices:,} vertices" if scene.polygons > 1 else ""
    return f"{scene.title}{vertices}, on {rows} x {cols} pixels: {scene.wanted}"


def notes(run):
    """Return notes on skipped contenders, on the work that is timed, and on the machine."""
    items = ["Interrupted: the missing scenes were not measured."] * run.interrupted
    skipped = {}
    for row in run.rows:
        if not row.ok:
            skipped.setdefault((row.key, row.reason), []).append(row.scene)
    for (key, reason), scenes in skipped.items():
        names = figures.listed(list(dict.fromkeys(scenes)))
        items.append(f"{key} was skipped ({names}): {reason}")
    versions, peers = run.machine.packages, {}
    for row in run.rows:
        if row.ok and row.package:
            peers[row.title] = row
    for row in peers.values():
        extra = f"; timed with it: {row.included}" if row.included else ""
        version = versions.get(row.package) or ""
        items.append(f"{row.key}: {row.package} {version}, {row.title}{extra}.")
    return [*items, *machine_table.machine_notes(run)]


def page(run, heading, parts, legend):
    """Return a page of Markdown: a heading, parts, a legend, notes and the machine."""
    items = "\n".join(f"- {note}" for note in notes(run))
    return "\n".join([f"# {heading}\n", *parts, legend, "", items]) + "\n"
