"""`polymask bench`: measure the rungs, print the table, write the result."""

import datetime
import math
from pathlib import Path

import click

from polymask.bench import against as comparing
from polymask.bench import driver, result_json
from polymask.bench import sweep as sweeps
from polymask.cli import bench_against, bench_closing, bench_many, bench_quiet, report
from polymask.cli.options import RUNGS, read_option, split_assignment
from polymask.cli.places import FILE, FOLDER, check_out, check_written, refuse_input
from polymask.cli.progress_bar import progress
from polymask.cli.terminal import wrote
from polymask.cli.workload_options import workload_options
from polymask.common import saving
from polymask.contract import Unavailable
from polymask.ladder import registry
from polymask.profiling import instructions, tools
from polymask.report import results

FORM = "KEY.OPTION=VALUE"
PATIENCE = 30.0  # seconds a call that a comparison with libraries is willing to wait


class Seconds(click.FloatRange):
    """Seconds of a run. NaN is refused here: it compares with no end of a range."""

    def convert(self, value, param, ctx):
        """Read a number of seconds."""
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value} is not a number.", param, ctx)
        return seconds


SECONDS = Seconds(0, sweeps.LONGEST_RUN_S)


@click.command()
@workload_options
@click.option(
    "--rungs",
    "chosen",
    type=RUNGS,
    metavar="KEY,...",
    help="Only these rungs; else all, or with --peers those that call no Python for each pixel.",
)
@click.option(
    "--peers",
    is_flag=True,
    help="Measure polygon_mask and other libraries too, and count how many of their pixels differ "
    "where the sample lies on an edge, and elsewhere.",
)
@click.option(
    "--many",
    is_flag=True,
    help="With --peers: measure many polygons in one call, and a small one in a large image, with "
    "each library's memory. Of the other options it takes --quick, --seconds (a scene), "
    "--patience, --out, --json and --force.",
)
@click.option("--quick", is_flag=True, help="With --many: small scenes, to see that all works.")
@click.option(
    "--sweep",
    type=click.Choice(["size", "vertices", "threads"]),
    help="Measure curves over the size, the number of vertices or of threads.",
)
@click.option(
    "--against",
    metavar="REVISION",
    help="Build that commit, once, and measure it and this checkout in alternating processes: "
    "which rungs are slower or faster? Of the other options it takes --rungs, --seconds, "
    "--patience, --set, --json, --force and those of the workload. Exit code 1: a rung is slower "
    "or wrong.",
)
@click.option(
    "--instructions",
    "counting",
    is_flag=True,
    help="Count the instructions per pixel too, under valgrind: of rungs on the processor, with "
    "one thread, on images so small that it takes a minute or two. Shows all columns.",
)
@click.option(
    "--patience",
    type=SECONDS,
    help="Skip rows of which one call would last longer than so many seconds, by a trial on a few "
    f"rows of pixels.  [default with --peers: {PATIENCE:g}; with --against, where no --rungs are "
    f"given: {comparing.PATIENCE:g}; else none is skipped]",
)
@click.option(
    "--seconds",
    type=SECONDS,
    default=30.0,
    show_default=True,
    help="How long the rounds of the fast rows may take together; slow rows come on top.",
)
@click.option("--out", type=FOLDER, help="Folder for the result; else a new one.")
@click.option("--json", "json_file", type=FILE, help="Write the JSON here as well.")
@click.option(
    "--html",
    "html_file",
    type=FILE,
    help="Write a page with everything here: table, charts, the race, how it was measured.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar=FORM,
    help="An option of a rung, say the number of its threads; may be repeated.",
)
@click.option(
    "--force",
    is_flag=True,
    help="Measure at once, even on a busy machine; else wait in a terminal for other programs to "
    f"end, up to {bench_quiet.LONGEST_S:g} s.",
)
@click.option("--all", "every", is_flag=True, help=report.ALL)
@click.pass_context
def bench(
    context,
    workload,
    chosen,
    peers,
    many,
    quick,
    sweep,
    against,
    counting,
    patience,
    seconds,
    out,
    json_file,
    html_file,
    settings,
    force,
    every,
):
    """Measure the rungs on one polygon, every mask checked, and print the speed-up table.

    JSON, Markdown and a plot go to a folder that is named at the end. Ctrl-C keeps what was
    measured.

    With --against, two builds are compared instead, and files are written where --json says.
    """
    if many:
        bench_many.check(context)
        return bench_many.run(patience, seconds, quick, out, json_file, force)
    if quick:
        raise click.UsageError("--quick goes with --many")
    measured_rungs = chosen or (beside_libraries() if peers else registry.RUNGS)
    keys = [rung.key for rung in measured_rungs]
    if peers and patience is None:
        patience = PATIENCE
    if counting:
        if sweep or against is not None or not all(workload.shape):
            raise click.UsageError(
                "--instructions counts on one image that has pixels: no --sweep, no --against"
            )
        tools.choose("callgrind")  # before the minutes of measuring, not after
    options = read_settings(settings, keys)
    read = workload.files
    if against is not None:
        if peers or sweep or out or html_file:
            raise click.UsageError("--against goes with no --peers, --sweep, --out or --html")
        if json_file:
            check_out(json_file, read)
        return bench_against.run(
            against, chosen, keys, options, workload, patience, seconds, json_file, force
        )
    folder = out or Path(f"polymask-results/{datetime.datetime.now():%Y-%m-%d_%H-%M-%S}")
    saving.make_folder(folder)
    files = [folder / "bench.json", *([json_file] if json_file else [])]
    how = {"peers": peers, "patience": patience, "seconds": seconds}
    try:
        for file in files:  # before the minutes of measuring, not after
            check_out(file, read)
        for file in report.derived(folder / "bench"):
            refuse_input(file, read)
        if html_file:
            check_written("--html", html_file, read)
            from polymask.report.page import page  # takes a while, which other commands need not

            page.environment()
        how["busy"] = bench_quiet.look_first(force)
    except (click.UsageError, KeyboardInterrupt):
        if not out:
            folder.rmdir()  # made for this run
        raise
    with progress() as bar:
        if sweep:
            measured = run_sweep(sweep, workload, keys, settings, progress=bar, **how)
        else:
            measured = driver.measure(keys, **vars(workload), options=options, progress=bar, **how)
            if counting and not measured.interrupted:
                count_instructions(measured, workload.vertices, options, bar)
    if measured.interrupted and not any(row.ok for row in measured.rows):
        if not out:
            folder.rmdir()  # made for this run
        click.echo("interrupted before a row had a time: nothing is written", err=True)
        return 130
    report.show(measured, every or counting)
    for file in files:
        result_json.save(measured, file)
    report.write(measured, folder / "bench")
    if html_file:
        page.write([results.Named("bench.json", measured)], html_file)
    click.echo("\n".join(["", *bench_closing.lines(measured, files[0], html_file)]))
    wrote(f"{folder}/", *filter(None, (json_file, html_file)))
    if measured.interrupted:
        click.echo("interrupted: what was measured by then is kept", err=True)
        return 130
    return 1 if any(row.status == "wrong" for row in measured.rows) else 0


def count_instructions(measured, vertices, options, bar):
    """Count the instructions of the rungs that made the right mask, into the result of a run."""
    right = [registry.get(row.key) for row in measured.rows if row.kind == "rung" and row.ok]
    shape = measured.workload.shape
    try:
        counts = instructions.count(right, vertices, shape, options=options, progress=bar)
    except KeyboardInterrupt:
        measured.interrupted = True
        return
    measured.instructions = counts
    for key, one in counts.rungs.items():
        measured.row(key).instructions_per_pixel = one.per_pixel


def run_sweep(over, workload, keys, settings, **how):
    """Measure a sweep; the workload is the polygon that its other values come from."""
    if workload.polygon or settings:
        raise click.UsageError("--sweep makes its own polygons and options: no --polygon, no --set")
    how["patience"] = how["patience"] or sweeps.LONGEST_CALL_S
    n = len(workload.vertices)
    return sweeps.sweep(over, keys, shape=workload.shape, n=n, seed=workload.seed, **how)


def beside_libraries():
    """Return the rungs that libraries are held against: not those that call Python for each pixel.

    What these cost is the call, and a large image would take them hours.
    """
    return [rung for rung in registry.RUNGS if not (rung.work and rung.work.calls_per_pixel)]


def read_settings(settings, keys):
    """Read KEY.OPTION=VALUE; return key to options, and refuse what no measured rung takes."""
    options = {}
    for setting in settings:
        name, value = split_assignment(setting, FORM)
        key, dot, option = name.rpartition(".")
        if not dot:
            raise click.UsageError(f"--set takes {FORM}, got {setting!r}")
        try:
            rung = registry.get(key)
        except KeyError as error:
            raise click.UsageError(f"--set {setting}: {error.args[0]}") from None
        if key not in keys:
            raise click.UsageError(f"--set {setting}: {key} is not among the measured rungs")
        options.setdefault(key, {})[option] = read_option(rung, option, value)
    for key, chosen in options.items():
        try:  # an empty mask costs nothing: a bad value shows now, not after minutes
            registry.get(key).load()([(0, 0), (1, 0), (0, 1)], (0, 0), **chosen)
        except Unavailable:
            continue  # the row will say so
    return options
