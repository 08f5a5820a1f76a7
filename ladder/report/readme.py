"""Tables in a README, written between two marks that name the result of each table."""

import os
from dataclasses import replace
from pathlib import Path

from ladder import registry
from ladder.report import columns, marks, results, table, text_table
from polymask.common import figures

MANY = "many polygons: "  # the beginning of the marks for tables of benchmarks/many


def text(result, json_name):
    """Return the text between the marks: the plot, the main columns, and folded notes."""
    stem = json_name.removesuffix(".json")
    measured = replace(result, rows=[row for row in result.rows if row.status != "skipped"])
    content = replace(table.as_table(measured, all_columns=False), title=heading(result))
    parts = [
        f"![Bar chart of the speed-ups](<{stem}.svg>)",
        "\n".join(text_table.markdown(content)),
    ]
    parts += [describe_row(result)] if describe_row(result) else []
    parts.append("<details><summary>Notes, and all columns</summary>")
    parts += [" ".join(notes(result, stem)), "</details>"]
    return "\n\n".join(parts) + "\n"


def heading(result):
    """Return the title: the work, the processor, and the GPUs that rows were measured on."""
    devices = result.machine.devices.values()
    gpus = sorted({device.name for device in devices if device.type == "GPU"})
    return ", ".join([table.heading(result), *gpus])


def describe_row(result):
    """Describe one row in sentences: the fastest row of the course that is not noisy."""
    rows = [row for row in result.rows if row.ok and row.course_speedup and row.speedup_before]
    rows = [row for row in rows if not row.disturbed] or rows
    if not rows or not result.samples(registry.BASE):
        return ""
    row = max(rows, key=lambda row: row.speedup)
    columns_of = {column.heading: column.cell(row, result) for column in columns.select(result)}
    kernel = f", of which its kernel takes {columns_of['kernel']}" if row.kernel_s else ""
    return (
        f"For example, {row.key} makes the mask in {columns_of['time']}{kernel}. This is "
        f"{columns_of['speed-up']} times as fast as {registry.BASE}, and {columns_of['× before']} "
        f"times as fast as {row.before}, the rung that its lesson starts from. The course "
        f"published a speed-up of {columns_of['course: speed-up']}, measured on its own machine."
    )


def notes(result, stem):
    """Return the notes below the table; the last links the file with all columns."""
    sentences = []
    if any(row.course_s for row in result.rows):
        sentences.append("The course used its own machine: compare the ranking, not the numbers.")
        if table.work(result) != table.COURSE:
            sentences.append(f"The course measured {table.COURSE}, which is different work.")
    sentences += table.marks_explained(result)
    if noisy := [row.key for row in result.rows if row.disturbed]:
        sentences.append(f"Noisy rows (ignore small differences): {figures.listed(noisy)}.")
    if skipped := [row.key for row in result.rows if row.status == "skipped"]:
        sentences.append(f"Not measured on this machine: {figures.listed(skipped)}.")
    sentences.append(
        f"[All columns](<{stem}.md>) has intervals, samples, busy cores, the reasons for skipped "
        "rows, and the machine, compiler and commit."
    )
    return sentences


def rewrite(readme, json_file):
    """Write a result's table between the marks of a README, which name the result's file."""
    result = results.load(json_file)[0]
    name = name_beside(readme, json_file)
    entry = name, text(result, name)
    marks.rewrite(readme, lambda mark: None if mark.startswith(MANY) else entry)


def name_beside(page, file):
    """Return a file's path relative to the folder of a page."""
    return Path(os.path.relpath(file, Path(page).parent)).as_posix()
