"""Measured rows in the lessons: the row of a rung, written between marks on its page."""

from pathlib import Path

from ladder.common.staleness import ROOT
from ladder.report import columns, explanations, marks, readme, text_table
from polymask.common import figures

IN = " in "  # between the key of a rung and the file of its result, in the name of a mark


def rewrite(files):
    """Write the rows of results in all lessons; return the pages that have such rows.

    `files` maps the files of results to the results. Raises `ValueError` if no lesson names one of
    them, or if a lesson names a row without a time.
    """
    loaded = {Path(file).resolve(): result for file, result in files.items()}
    pages = []
    for page in sorted(ROOT.glob("[0-9]_*/*.md")):
        named = {}  # from the name of a mark to its text
        for match in marks.MARKS.finditer(page.read_text(encoding="utf-8")):
            key, mark, name = match["of"].partition(IN)
            if mark and (result := loaded.get((page.parent / name).resolve())):
                if key not in result.timed:
                    raise ValueError(f"{page}: {name} has no time of {key}")
                named[match["of"]] = text(result, key, name)
        if named:
            marks.rewrite(page, lambda of, named=named: (of, named[of]) if of in named else None)
            pages.append(page)
    if not pages:
        raise ValueError(
            f"no lesson has marks that name {figures.listed([str(file) for file in files])}"
        )
    return pages


def text(result, key, name):
    """Return the text between the marks: the time of a rung in a line, and its details.

    `name` is the file of the result, relative to the lesson.
    """
    row = result.timed[key]
    cells = {column.heading: column.cell(row, result) for column in columns.COLUMNS}
    summary = cells["time"]
    if cells["× before"]:
        summary += f", {cells['× before']} times as fast as {row.before}"
    details = {
        f"median of {row.samples} samples" if row.samples > 1 else "one sample": cells["time"],
        "95 % interval": cells["95 %"],
        f"speed-up over {row.before}": cells["× before"],
        "kernel alone": figures.seconds(row.kernel_s),
        "busy cores": cells["cores"],
        "date": f"[{result.machine.date[:10]}]({name.removesuffix('.json')}.md)",
    }
    rows = [(what, value) for what, value in details.items() if value]
    parts = [
        f"**{summary}**: {readme.heading(result)}.",
        "\n".join(text_table.markdown(text_table.make("", (key, ""), 1, rows))),
    ]
    if explained := explanations.of_result(result).get(key):
        parts.append(explained.text)
    return "\n\n".join(parts) + "\n"
