"""The options of `polymask bench`: what is measured, as a `Plan`, and where the result goes."""

import functools
import math

import click

from polymask.bench.plan import Plan
from polymask.bench.sweep import LONGEST_RUN_S
from polymask.cli import bench_quiet, report
from polymask.cli.bench_output import Output
from polymask.cli.options import RUNGS, read_option, split_assignment
from polymask.cli.places import FILE, FOLDER
from polymask.cli.workload_options import workload_options
from polymask.common import checkout
from polymask.contract import Unavailable
from polymask.ladder import registry

FORM = "KEY.OPTION=VALUE"


class Seconds(click.FloatRange):
    """Seconds of a run. NaN is refused here: it compares with no end of a range."""

    def convert(self, value, param, ctx):
        """Read a number of seconds."""
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value} is not a number.", param, ctx)
        return seconds


SECONDS = Seconds(0, LONGEST_RUN_S)
PATIENCE = 30.0  # seconds a call that a comparison with libraries is willing to wait
force_option = click.option(
    "--force",
    is_flag=True,
    help="Measure at once, even on a busy machine; else wait in a terminal for other programs to "
    f"end, up to {bench_quiet.LONGEST_S:g} s.",
)


seconds_option = click.option(
    "--seconds",
    type=SECONDS,
    default=30.0,
    show_default=True,
    help="How long the rounds of the fast rows may take together; slow rows come on top.",
)
SETTINGS = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar=FORM,
    help="An option of a rung, say the number of its threads; may be repeated.",
)
PEERS = click.option(
    "--peers",
    is_flag=True,
    help="Measure polygon_mask and other libraries too, and count how many of their pixels differ "
    "where the sample lies on an edge, and elsewhere. In a checkout, where `make peers` installs "
    "them.",
)


def plan_options(*others, patience):
    """Give a command the options that say what is measured, as one `plan`.

    The others are SETTINGS and PEERS, where a command has them; `patience` says which is the
    default.
    """
    beside = ", or with --peers those that call no Python for each pixel" if PEERS in others else ""
    skip = "Skip rows of which one call would last longer than so many seconds, by a trial on a few"
    options = [
        workload_options,
        click.option(
            "--rungs",
            "chosen",
            type=RUNGS,
            metavar="KEY,...",
            help=f"Only these rungs; else all{beside}.",
        ),
        *others,
        click.option(
            "--patience",
            type=SECONDS,
            help=f"{skip} rows of pixels.  [default: {patience}]",
        ),
        seconds_option,
    ]

    def decorate(command):
        @functools.wraps(command)
        def with_plan(workload, chosen, seconds, patience, peers=False, settings=(), **others):
            plan = make_plan(workload, chosen, peers, settings)
            plan.seconds = seconds
            plan.patience = PATIENCE if peers and patience is None else patience
            return command(plan=plan, **others)

        for option in reversed(options):
            with_plan = option(with_plan)
        return with_plan

    return decorate


def make_plan(workload, chosen, peers, settings):
    """Return the plan of chosen rungs, or of all that go with what is measured."""
    library = checkout.load("benchmarks.peers") if peers else None
    if library and not chosen:
        chosen = library.rungs()
    keys = [rung.key for rung in chosen or registry.RUNGS]
    return Plan(
        keys if chosen else None,
        **vars(workload),
        options=read_settings(settings, keys),
        others=library.rows if library else tuple,
    )


FILES = (
    click.option("--out", type=FOLDER, help="Folder for the result; else a new one."),
    click.option("--json", "json_file", type=FILE, help="Write the JSON here as well."),
)
PAGE = (
    click.option(
        "--html",
        "html_file",
        type=FILE,
        help="Write a page with everything here: table, charts, the race, how it was measured.",
    ),
    click.option("--all", "every", is_flag=True, help=report.ALL),
)


def output_options(*options):
    """Give a command options that say where the result goes, as one `output`."""

    def decorate(command):
        @functools.wraps(command)
        def with_output(out, json_file, html_file=None, every=False, **others):
            return command(output=Output(out, json_file, html_file, every), **others)

        for option in reversed(options):
            with_output = option(with_output)
        return with_output

    return decorate


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
