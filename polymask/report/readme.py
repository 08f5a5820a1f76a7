"""Tables in a README: written between two marks, which name the result that one is made from."""

import os
from dataclasses import replace
from pathlib import Path

from polymask.ladder import registry
from polymask.report import columns, figures, marks, results, table, tables

MANY = "many polygons: "  # begins the name of marks that benchmarks/many writes between


def text(result, json_name):
    """Return the text between the marks: the plot, the table's first columns, notes to unfold."""
    stem = json_name.removesuffix(".json")
    measured = replace(result, rows=[row for row in result.rows if row.status != "skipped"])
    shown = replace(table.as_table(measured, every=False), title=heading(result))
    parts = [f"![Speed-ups as bars](<{stem}.svg>)", "\n".join(tables.markdown(shown))]
    parts += [read_aloud(result)] if read_aloud(result) else []
    parts.append("<details><summary>Notes, and all columns</summary>")
    parts += [" ".join(notes(result, stem)), "</details>"]
    return "\n\n".join(parts) + "\n"


def heading(result):
    """Return the title: the work, the processor, and the GPUs that rows were measured on."""
    devices = result.machine.devices.values()
    gpus = sorted({device.name for device in devices if device.type == "GPU"})
    return ", ".join([table.heading(result), *gpus])


def read_aloud(result):
    """Put one row into words: the fastest that the course has too, of those that are not noisy."""
    rows = [row for row in result.rows if row.ok and row.course_speedup and row.speedup_before]
    rows = [row for row in rows if not row.disturbed] or rows
    if not rows or not result.samples(registry.BASE):
        return ""
    row = max(rows, key=lambda row: row.speedup)
    columns_of = {column.heading: column.cell(row, result) for column in columns.shown(result)}
    return (
        f"One row, read aloud: {row.key} makes the mask in {columns_of['time']}. This is "
        f"{columns_of['speed-up']} times as fast as {registry.BASE}, and {columns_of['× before']} "
        f"times as fast as {row.before}, the rung that its lesson starts from. The course "
        f"published a speed-up of {columns_of['course: speed-up']}, measured on its own machine."
    )


def notes(result, stem):
    """Return the notes below the table; the last links the file with all columns."""
    found = []
    if any(row.course_s for row in result.rows):
        found.append("The course measured on its own machine: compare the order, not the numbers.")
        if table.work(result) != table.COURSE:
            found.append(f"The course measured {table.COURSE}: its figures are for other work.")
    if any(row.other_algorithm for row in result.rows):
        found.append("¹ A different algorithm: it does less work, not the same work faster.")
    if noisy := [row.key for row in result.rows if row.disturbed]:
        found.append(f"Noisy, so ignore small differences: {figures.listed(noisy)}.")
    if skipped := [row.key for row in result.rows if row.status == "skipped"]:
        found.append(f"Not measured on this machine: {figures.listed(skipped)}.")
    found.append(
        f"[All columns](<{stem}.md>): intervals, samples, busy cores, skipped rows with the "
        "reasons, and the machine, compiler and commit behind the numbers."
    )
    return found


def rewrite(readme, json_file):
    """Write the table of a result between the marks of a README; they name it from its folder."""
    result = results.load(json_file)[0]
    name = name_beside(readme, json_file)
    made = name, text(result, name)
    marks.rewrite(readme, lambda of: None if of.startswith(MANY) else made)


def name_beside(page, file):
    """Return a file's name as seen from the folder of a page."""
    return Path(os.path.relpath(file, Path(page).parent)).as_posix()
