"""`polymask bench`: measure the rungs, print the table, write the result."""

import json

import click

from polymask.bench import against as comparing
from polymask.bench import driver, machine, revisions, wilcoxon
from polymask.bench import sweep as sweeps
from polymask.cli import bench_options as options
from polymask.cli.bench_quiet import look_first
from polymask.cli.group import Commands
from polymask.cli.places import FILE, check_out
from polymask.cli.progress_bar import progress
from polymask.cli.result_output import Output
from polymask.cli.terminal import console, say, wrote
from polymask.cli.workload_options import workload_options
from polymask.common import checkout, saving
from polymask.ladder import registry
from polymask.profiling import instructions, tools
from polymask.report import verdicts

HELP = ("-h", "--help")
SPELLINGS = {"--against": "against", "--sweep": "sweep", "--many": "many"}


class Bench(Commands):
    """The group of `bench`. Arguments without a command are those of `run`, or another spelling.

    `bench --sweep size` is `bench sweep size`, `bench --against HEAD~1` is `bench against HEAD~1`,
    and `bench --peers --many` is `bench many`.
    """

    def parse_args(self, context, arguments):
        """Insert the command, then let Click parse the arguments."""
        first = next((argument for argument in arguments if argument != "--debug"), "--")
        if first.startswith("-") and first not in HELP:
            arguments = respelled(arguments)
        return super().parse_args(context, arguments)

    def format_options(self, context, formatter):
        """Write the commands and options, followed by those of `run`."""
        super().format_options(context, formatter)
        records = [option.get_help_record(context) for option in run.params]
        with formatter.section("Options of run, and without a command"):
            formatter.write_dl(records)


def respelled(arguments):
    """Return arguments without a command with the command inserted."""
    for place, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name not in SPELLINGS:
            continue
        before, after = arguments[:place], arguments[place + 1 :]
        if name == "--many":
            return ["many", *(other for other in [*before, *after] if other != "--peers")]
        if equals:
            return [SPELLINGS[name], *before, *after, value]
        return [SPELLINGS[name], *before, *after[1:], *after[:1]]
    return ["run", *arguments]


@click.group(cls=Bench)
def bench():
    """Measure the rungs on one polygon, every mask checked, and print the speed-up table.

    JSON, Markdown and a plot go to a folder that is named at the end. Ctrl-C keeps what was
    measured.

    Without a command it is `run`; --sweep OVER, --against REVISION and --peers --many spell the
    other commands.
    """


BESIDE = ", or with --peers those that call no Python for each pixel"


@bench.command()
@workload_options
@options.rungs_option(BESIDE)
@options.peers_option
@options.set_option
@options.patience_option(f"{options.PATIENCE:g} with --peers; else none is skipped")
@options.seconds_option()
@click.option(
    "--instructions",
    "counting",
    is_flag=True,
    help="Count the instructions per pixel too, under valgrind: of rungs on the processor, with "
    "one thread, on images so small that it takes a minute or two. Shows all columns.",
)
@options.out_option
@options.json_option
@options.html_option
@options.all_option
@options.force_option
def run(counting, force, out, json_file, html_file, every, **choices):
    """Measure the rungs on one polygon, every mask checked, and print the speed-up table.

    JSON, Markdown and a plot go to a folder that is named at the end. Ctrl-C keeps what was
    measured.
    """
    plan = options.make_plan(**choices)
    if counting:
        if not all(plan.shape):
            raise click.UsageError("--instructions counts on an image that has pixels")
        tools.choose("callgrind")  # fail before the measurement, not after it
    output = Output(out, json_file, html_file, every or counting)
    with output.prepared(plan.files):
        busy = look_first(force)
    with progress() as bar:
        result = driver.measure(plan, busy=busy, progress=bar)
        if counting and not result.interrupted:
            count_instructions(result, plan, bar)
    return output.write(result)


def count_instructions(result, plan, bar):
    """Count the instructions of the rungs with a right mask, and add them to the result."""
    right = [registry.get(row.key) for row in result.rows if row.kind == "rung" and row.ok]
    how = {"options": plan.options, "progress": bar}
    try:
        counts = instructions.count(right, plan.vertices, plan.shape, **how)
    except KeyboardInterrupt:
        result.interrupted = True
        return
    result.instructions = counts
    for key, counted in counts.rungs.items():
        result.row(key).instructions_per_pixel = counted.per_pixel


@bench.command()
@click.argument("over", metavar="[size|vertices|threads]", type=click.Choice(sweeps.OVER))
@workload_options
@options.rungs_option(BESIDE)
@options.peers_option
@options.patience_option(f"{sweeps.LONGEST_CALL_S:g}; {options.PATIENCE:g} with --peers")
@options.seconds_option()
@options.out_option
@options.json_option
@options.html_option
@options.all_option
@options.force_option
def sweep(over, force, out, json_file, html_file, every, **choices):
    """Measure curves over the size, the number of vertices or of threads."""
    plan = options.make_plan(**choices)
    if plan.polygon:
        raise click.UsageError("a sweep makes its own polygons: no --polygon")
    plan.patience = plan.patience or sweeps.LONGEST_CALL_S
    output = Output(out, json_file, html_file, every)
    with output.prepared(plan.files):
        busy = look_first(force)
    with progress() as bar:
        result = sweeps.sweep(over, plan, busy=busy, progress=bar)
    return output.write(result)


@bench.command()
@click.argument("revision")
@workload_options
@options.rungs_option()
@options.set_option
@options.patience_option(f"{comparing.PATIENCE:g}; with --rungs none is skipped")
@options.seconds_option()
@click.option("--json", "json_file", type=FILE, help="Write the JSON here.")
@options.force_option
def against(revision, json_file, force, **choices):
    """Build another commit, once, and measure it and this checkout in alternating processes.

    Which rungs are slower or faster? Exit code 1: a rung is slower or wrong.
    """
    plan = options.make_plan(**choices)
    if json_file:
        check_out(json_file, plan.files)
    commit = checkout.find(revision)
    with progress() as bar:
        bar.begin("building", 2)
        bar.working("building this checkout, as far as it has changed", long=True)
        own_tree = revisions.build_checkout()
        bar.advance(1)
        other_tree = revisions.build_commit(commit, tell=lambda text: bar.working(text, long=True))
    before = machine.record(look_first(force))
    if plan.patience is None and plan.keys is None:
        plan.patience = comparing.PATIENCE
    comparison = comparing.Comparison(own_tree, other_tree, ("this checkout", revision), plan)
    others = comparison.only_there() if plan.keys is None else []
    with progress() as bar:
        comparison.run(progress=bar)
    compared, out = comparison.outcome(), console()
    if compared:
        out.print(verdicts.table(compared, revision))
    for note in verdicts.notes(comparison, others, revision):
        say(out, f"- {note}")
    if compared:
        say(out, f"\n{verdicts.headline(compared, revision)}")
    if json_file:
        record = comparing.record(comparison, (revision, commit), before)
        saving.write(json_file, json.dumps(record, indent=1, allow_nan=False) + "\n")
        wrote(json_file)
    if comparison.interrupted:
        click.echo("interrupted: the measurements so far are used", err=True)
        return 130
    slower = any(row.estimate.verdict == wilcoxon.SLOWER for row in compared)
    wrong = any(row.status == "wrong" for row in comparison.rows)
    return 1 if slower or wrong or not compared else 0


@bench.command()
@click.option("--quick", is_flag=True, help="Small scenes, to see that all works.")
@click.option(
    "--patience",
    type=options.SECONDS,
    default=300.0,
    show_default=True,
    help="Skip contenders whose first call lasts longer than this many seconds.",
)
@options.seconds_option("a scene's fast contenders may take together")
@options.out_option
@options.json_option
@options.force_option
def many(quick, seconds, patience, out, json_file, force):
    """Measure many polygons in one call, and a small one in a large image, beside other libraries.

    With each library's memory. In a checkout, where `make many` installs them and does this.
    """
    library, output = checkout.load("benchmarks.many.measure"), Output(out, json_file)
    with output.prepared([]):
        busy = look_first(force)
    how = {"quick": quick, "seconds": seconds, "patience": patience, "busy": busy}
    with progress() as bar:
        result = library.measure(progress=bar, **how)
    return output.write(result, checkout.load("benchmarks.many.report").closing(result))
