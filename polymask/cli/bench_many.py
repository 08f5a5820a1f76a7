"""`polymask bench --peers --many`: many polygons, by us and by other libraries."""

import datetime
from pathlib import Path

import click
from click.core import ParameterSource

from polymask.bench import many, result_json
from polymask.cli import bench_closing, bench_quiet, report
from polymask.cli.places import check_out
from polymask.cli.progress_bar import progress
from polymask.cli.terminal import wrote
from polymask.common import saving

TAKES = ("peers", "many", "quick", "patience", "seconds", "out", "json_file", "force")


def check(context):
    """Refuse options that say what polygon or which rungs to measure: scenes are given."""
    for parameter in context.command.params:
        chosen = context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
        if chosen and parameter.name not in TAKES:
            raise click.UsageError(f"--many makes its own polygons: no {parameter.opts[0]}")
    if not context.params["peers"]:
        raise click.UsageError("--many measures polymask beside other libraries: give --peers too")


def run(patience, seconds, quick, out, json_file, force):
    """Measure, print the tables, write JSON, Markdown and the chart; return the exit code."""
    folder = out or Path(f"polymask-results/{datetime.datetime.now():%Y-%m-%d_%H-%M-%S}")
    files = [folder / "bench.json", *([json_file] if json_file else [])]
    saving.make_folder(folder)
    try:
        for file in files:
            check_out(file, [])  # before the minutes of measuring, not after
        busy = bench_quiet.look_first(force)
    except (click.UsageError, KeyboardInterrupt):
        if not out:
            folder.rmdir()  # made for this run
        raise
    how = {"quick": quick, "seconds": seconds, "busy": busy}
    if patience is not None:
        how["patience"] = patience
    with progress() as bar:
        measured = many.measure(progress=bar, **how)
    if not measured.scenes:
        if not out:
            folder.rmdir()  # made for this run
        click.echo("interrupted before a scene was measured: nothing is written", err=True)
        return 130
    report.show(measured, every=True)
    for file in files:
        result_json.save(measured, file)
    report.write(measured, folder / "bench")
    click.echo("\n".join(["", *bench_closing.lines(measured, files[0])]))
    wrote(f"{folder}/", *filter(None, [json_file]))
    return 130 if measured.interrupted else 0
