"""`polymask bench`: measure the rungs, print the table, write the result."""

import datetime
from pathlib import Path

import click

from polymask import rungs
from polymask.bench import driver, result
from polymask.bench import sweep as sweeps
from polymask.cli import closing, quiet, report
from polymask.cli.options import (
    RungKeys,
    check_folder,
    read_option,
    split_assignment,
    workload_options,
)
from polymask.cli.progress import progress
from polymask.contract import Unavailable
from polymask.report import results

FORM = "KEY.OPTION=VALUE"
PATIENCE = 30.0  # seconds a call that a comparison with libraries is willing to wait


@click.command()
@workload_options
@click.option(
    "--rungs",
    "chosen",
    type=RungKeys(),
    metavar="KEY,...",
    help="Only these rungs; else all, or with --peers those that the course found no slower than "
    "NumPy.",
)
@click.option(
    "--peers",
    is_flag=True,
    help="Measure polygon_mask and other libraries too, and count how many of their pixels differ "
    "where the sample lies on an edge, and elsewhere.",
)
@click.option(
    "--sweep",
    type=click.Choice(["size", "vertices", "threads"]),
    help="Measure curves over the size, the number of vertices or of threads.",
)
@click.option(
    "--patience",
    type=click.FloatRange(0, sweeps.LONGEST_RUN_S),
    help="Skip rows of which one call would last longer than so many seconds, by a trial on a few "
    f"rows of pixels.  [default with --peers: {PATIENCE:g}; else none is skipped]",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0, sweeps.LONGEST_RUN_S),
    default=30.0,
    show_default=True,
    help="How long the rounds of the fast rows may take together; slow rows come on top.",
)
@click.option(
    "--out", type=click.Path(file_okay=False), help="Folder for the result; else a new one."
)
@click.option(
    "--json", "json_file", type=click.Path(dir_okay=False), help="Write the JSON here as well."
)
@click.option(
    "--html",
    "html_file",
    type=click.Path(dir_okay=False),
    help="Write a page with everything here: table, charts, the race, how it was measured.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar=FORM,
    help="An option of a rung, like openmp.prange.threads=2; may be repeated.",
)
@click.option(
    "--force",
    is_flag=True,
    help="Measure at once, even on a busy machine; else wait in a terminal for other programs to "
    f"end, up to {quiet.LONGEST_S:g} s.",
)
def bench(
    workload, chosen, peers, sweep, patience, seconds, out, json_file, html_file, settings, force
):
    """Measure the rungs on one polygon, every mask checked, and print the speed-up table.

    JSON, Markdown and a plot go to a folder that is named at the end. Ctrl-C keeps what was
    measured.
    """
    measured_rungs = chosen or (no_slower_than_numpy() if peers else rungs.RUNGS)
    keys = [rung.key for rung in measured_rungs]
    if peers and patience is None:
        patience = PATIENCE
    options = read_settings(settings, keys)
    folder = Path(out or default_folder())
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / "bench.json", *([Path(json_file)] if json_file else [])]
    how = {"reference_line": not chosen, "peers": peers, "patience": patience, "seconds": seconds}
    try:
        for file in [*files, *([Path(html_file)] if html_file else [])]:
            check_folder(file.parent)  # before the minutes of measuring, not after
        if html_file:
            from polymask.report.html import page  # takes a while, which other commands need not

            page.environment()
        how["busy"] = quiet.look_first(force)
    except (click.UsageError, KeyboardInterrupt):
        if not out:
            folder.rmdir()  # made for this run
        raise
    with progress() as bar:
        if sweep:
            measured = run_sweep(sweep, workload, keys, settings, progress=bar, **how)
        else:
            measured = driver.measure(
                keys,
                workload.vertices,
                workload.shape,
                seed=workload.seed,
                polygon=workload.polygon,
                options=options,
                progress=bar,
                **how,
            )
    single = measured["results"] if sweep else [measured]
    interrupted = any(one["interrupted"] for one in single)
    if interrupted and not any(row["median_s"] for one in single for row in one["rows"]):
        if not out:
            folder.rmdir()  # made for this run
        click.echo("interrupted before a row had a time: nothing is written", err=True)
        return 130
    report.show(measured)
    for file in files:
        result.save(measured, file)
    report.write(measured, folder / "bench")
    if html_file:
        page.write([results.Named("bench.json", measured)], html_file)
    click.echo()
    for line in closing.lines(measured, files[0], html_file):
        click.echo(line)
    also = [str(file) for file in (json_file, html_file) if file]
    click.echo("wrote " + " and ".join([f"{folder}/", *also]))
    if interrupted:
        click.echo("interrupted: what was measured by then is kept", err=True)
        return 130
    return 1 if any(row["status"] == "wrong" for one in single for row in one["rows"]) else 0


def run_sweep(over, workload, keys, settings, **how):
    """Measure a sweep; the workload is the polygon that its other values come from."""
    if workload.polygon or settings:
        raise click.UsageError("--sweep makes its own polygons and options: no --polygon, no --set")
    how["patience"] = how["patience"] or sweeps.LONGEST_CALL_S
    n = len(workload.vertices)
    return sweeps.sweep(over, keys, shape=workload.shape, n=n, seed=workload.seed, **how)


def no_slower_than_numpy():
    """Return the rungs beside which a library may stand: pure Python would take hours."""
    limit = rungs.get("python.vectorized").course_seconds
    return [rung for rung in rungs.RUNGS if (rung.course_seconds or 0) <= limit]


def read_settings(settings, keys):
    """Read KEY.OPTION=VALUE; return key to options, and refuse what no measured rung takes."""
    options = {}
    for setting in settings:
        name, value = split_assignment(setting, FORM)
        key, _, option = name.rpartition(".")
        try:
            rung = rungs.get(key)
        except KeyError as error:
            raise click.UsageError(f"--set {setting}: {error.args[0]}") from None
        if key not in keys:
            raise click.UsageError(f"--set {setting}: {key} is not among the measured rungs")
        options.setdefault(key, {})[option] = read_option(rung, option, value)
    for key, chosen in options.items():
        try:  # an empty mask costs nothing: a bad value shows now, not after minutes
            rungs.get(key).load()([(0, 0), (1, 0), (0, 1)], (0, 0), **chosen)
        except Unavailable:
            continue  # the row will say so
    return options


def default_folder():
    """Return a folder named by the time, below where the command runs."""
    return Path("polymask-results") / datetime.datetime.now().strftime("%Y-%m-%d_%H-%M-%S")


COMMANDS = (bench,)
