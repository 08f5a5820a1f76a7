"""The facts about a rung that `polymask show` and the site show with its code."""

from ladder.common.staleness import ROOT
from ladder.report import columns, marks, readme, results


def of(rung):
    """Return names and texts: idea, lesson, the rung before, file, time, and result of the time.

    The time is in README's table, which a wheel lacks. Facts that do not exist are omitted.
    """
    facts = {
        "idea": rung.idea,
        "lesson": rung.page,
        "before": rung.before,
        "file": rung.file,
        **_measured(rung.key),
    }
    return {name: text for name, text in facts.items() if text}


def _measured(key):
    """Return the time of a rung and its result, from the result that README's table shows."""
    page = ROOT / "README.md"
    mark = page.exists() and marks.MARKS.search(page.read_text(encoding="utf-8"))
    if not mark:
        return {}
    result = results.load(ROOT / mark["of"])[0]
    if key not in result.timed:
        return {}
    row = result.timed[key]
    cells = {column.heading: column.cell(row, result) for column in columns.COLUMNS}
    faster = cells["× before"] and f", {cells['× before']} times as fast as {row.before}"
    return {
        "time": f"{cells['time']}{faster}",
        "measured": f"{readme.heading(result)}, {result.machine.date[:10]}",
        "result": f"{mark['of'].removesuffix('.json')}.md",
    }
