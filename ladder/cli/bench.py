"""`polymask bench`: measure the rungs, print the table, write the result."""

from functools import partial

import click

from ladder.bench import driver
from ladder.bench import sweep as sweeps
from ladder.cli import bench_options as options
from ladder.cli.bench_quiet import look_first
from ladder.cli.result_output import Output
from ladder.cli.workload_options import workload_options
from ladder.common import checkout
from polymask.cli.group import Commands
from polymask.cli.progress_bar import progress

HELP = ("-h", "--help")


class Bench(Commands):
    """The group `bench`, which accepts the options of its command `run` without that name."""

    def parse_args(self, context, arguments):
        """Insert the command, then let Click parse the arguments."""
        first = next((argument for argument in arguments if argument != "--debug"), "--")
        if first.startswith("-") and first not in HELP:
            arguments = ["run", *arguments]
        return super().parse_args(context, arguments)

    def format_options(self, context, formatter):
        """Write the commands and options, followed by those of `run`."""
        super().format_options(context, formatter)
        records = [option.get_help_record(context) for option in run.params]
        with formatter.section("Options of run, the default command"):
            formatter.write_dl(records)


@click.group(cls=Bench)
def bench():
    """Measure the rungs, check every mask, and print a table of speed-ups.

    JSON, Markdown and a plot are written to a folder, which is named at the end. Ctrl-C ends the
    run and keeps the measurements so far.

    The default command is `run`.
    """


BESIDE = "; with --peers, all that call no Python function for each pixel"


@bench.command()
@workload_options
@options.rungs_option(BESIDE)
@options.peers_option
@options.set_option
@options.patience_option(f"{options.PATIENCE:g} with --peers, otherwise no limit")
@options.seconds_option()
@options.output_options
def run(output, force, **choices):
    """Measure the rungs, check every mask, and print a table of speed-ups.

    JSON, Markdown and a plot are written to a folder, which is named at the end. Ctrl-C ends the
    run and keeps the measurements so far.
    """
    measure = partial(driver.measure, options.make_plan(**choices))
    return measured(measure, output, force, choices["workload"].files)


@bench.command()
@click.argument("over", metavar="[size|vertices|threads]", type=click.Choice(sweeps.OVER))
@workload_options
@options.rungs_option(BESIDE)
@options.peers_option
@options.patience_option(f"{sweeps.LONGEST_CALL_S:g}; {options.PATIENCE:g} with --peers")
@options.seconds_option()
@options.output_options
def sweep(over, output, force, **choices):
    """Measure the rungs over a range of image sizes, vertices or threads."""
    plan = options.make_plan(**choices)
    if plan.polygon:
        raise click.UsageError("a sweep makes its own polygons: leave out --polygon")
    plan.patience = plan.patience or sweeps.LONGEST_CALL_S
    return measured(partial(sweeps.sweep, over, plan), output, force)


@bench.command()
@click.option("--quick", is_flag=True, help="Use small scenes, to test that everything works.")
@click.option(
    "--patience",
    type=options.SECONDS,
    default=300.0,
    show_default=True,
    help="Skip contenders whose first call lasts longer than this many seconds.",
)
@options.seconds_option("the fast contenders of each scene")
@options.out_option
@options.json_option
@options.force_option
def many(quick, seconds, patience, out, json_file, force):
    """Compare with other libraries: many polygons in a call, and a small one on a large image.

    Their memory is measured, too. `make many`, in a checkout, installs the libraries and runs this.
    """
    measure = checkout.load("benchmarks.many.measure").measure
    measure = partial(measure, quick=quick, seconds=seconds, patience=patience)
    return measured(measure, Output(out, json_file), force, closing=[])


def measured(measure, output, force, inputs=(), closing=None):
    """Measure on a quiet machine, if it becomes quiet, and write the result; return the exit code.

    `inputs` are the files that must not be overwritten, `closing` the last lines.
    """
    with output.prepared(inputs):
        busy = look_first(force)
    with progress() as bar:
        result = measure(busy=busy, progress=bar)
    return output.write(result, closing)
