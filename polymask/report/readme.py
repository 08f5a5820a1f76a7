"""Tables in a README: written between two marks, which name the result that one is made from."""

import os
from dataclasses import replace
from pathlib import Path

from polymask.ladder import registry
from polymask.report import columns, figures, marks, results, table, tables

MANY = "many polygons: "  # begins the name of marks that benchmarks/many writes between


def text(result, json_name):
    """Return what stands between the marks: the plot, the table's first columns, three lines."""
    stem = json_name.removesuffix(".json")
    notes = [table.caption(result), *table.other_algorithms(result)]
    if noisy := [row.key for row in result.rows if row.disturbed]:
        notes.append(f"Noisy, so that small differences say nothing: {figures.listed(noisy)}.")
    if skipped := [row.key for row in result.rows if row.status == "skipped"]:
        notes.append(
            f"Not measured there, for want of a package or a device: {figures.listed(skipped)}."
        )
    below = [read_aloud(result), " ".join(notes)]
    below.append(
        f"[All columns](<{stem}.md>): intervals, samples, busy cores, and the machine, compiler "
        "and commit that the numbers come from."
    )
    measured = replace(result, rows=[row for row in result.rows if row.status != "skipped"])
    table_lines = "\n".join(tables.markdown(table.as_table(measured, every=False)))
    said = "\n\n".join(filter(None, below))
    return f"\n![Speed-ups as bars](<{stem}.svg>)\n\n{table_lines}\n\n{said}\n\n"


def read_aloud(result):
    """Say what one row says: the fastest that the course had too, of those that are not noisy."""
    rows = [row for row in result.rows if row.ok and row.course_speedup and row.speedup_before]
    rows = [row for row in rows if not row.disturbed] or rows
    if not rows or not result.samples(registry.BASE):
        return ""
    row = max(rows, key=lambda row: row.speedup)
    columns_of = {column.heading: column.cell(row, result) for column in columns.shown(result)}
    return (
        f"Read a row aloud: {row.key} makes the mask in {columns_of['time']}. It is "
        f"{columns_of['speed-up']} times as fast as {registry.BASE}, and {columns_of['× before']} "
        f"times as fast as {row.before}, which its lesson starts from. The course's was "
        f"{columns_of['course: speed-up']} times as fast as its first, on its machine."
    )


def rewrite(readme, json_file):
    """Write the table of a result between the marks of a README; they name it from its folder."""
    result = results.load(json_file)[0]
    name = name_beside(readme, json_file)
    made = name, text(result, name)
    marks.rewrite(readme, lambda of: None if of.startswith(MANY) else made)


def name_beside(page, file):
    """Return a file's name as seen from the folder of a page."""
    return Path(os.path.relpath(file, Path(page).parent)).as_posix()
