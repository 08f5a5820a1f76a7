"""The options of `polymask bench`, and the plan made from them."""

import functools
import math

import click

from ladder import registry
from ladder.bench.plan import Plan
from ladder.bench.sweep import LONGEST_RUN_S
from ladder.cli import bench_quiet
from ladder.cli.result_output import ALL, Output
from ladder.cli.rung_options import RUNGS, read_option, split_assignment
from ladder.common import checkout
from polymask.cli.places import FILE, FOLDER
from polymask.contract import Unavailable

FORM = "KEY.OPTION=VALUE"


class Seconds(click.FloatRange):
    """A number of seconds; NaN is refused here, as range checks accept it."""

    def convert(self, value, param, ctx):
        """Read a number of seconds."""
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value} is not a number.", param, ctx)
        return seconds


SECONDS = Seconds(0, LONGEST_RUN_S)
PATIENCE = 30.0  # seconds per call, in comparisons with libraries
peers_option = click.option(
    "--peers",
    is_flag=True,
    help="Also measure polygon_mask and other libraries, and count their differing pixels, both "
    "with samples on an edge and others. This needs a checkout, where `make extras EXTRAS=peers` "
    "installs the libraries.",
)
set_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar=FORM,
    help="Set an option of a rung, such as its number of threads; may be repeated.",
)
out_option = click.option("--out", type=FOLDER, help="Write to this folder.  [default: a new one]")
json_option = click.option("--json", "json_file", type=FILE, help="Also write the JSON here.")
html_option = click.option(
    "--html",
    "html_file",
    type=FILE,
    help="Also write a web page here: the table, charts, limits and the race.",
)
all_option = click.option("--all", "all_columns", is_flag=True, help=ALL)
force_option = click.option(
    "--force",
    is_flag=True,
    help="Measure at once, even on a busy machine. Otherwise a command in a terminal waits up to "
    f"{bench_quiet.LONGEST_S:g} s for other programs to end.",
)


def output_options(command):
    """Add the option --force, and those of an `Output`, to a command, as one `output`."""

    @functools.wraps(command)
    def with_output(out, json_file, html_file, all_columns, **others):
        return command(output=Output(out, json_file, html_file, all_columns), **others)

    for option in (force_option, all_option, html_option, json_option, out_option):
        with_output = option(with_output)
    return with_output


def rungs_option(others=""):
    """Return the option that chooses rungs; `others` completes the description of the default."""
    text = f"Measure only these rungs.  [default: all{others}]"
    return click.option("--rungs", "chosen", type=RUNGS, metavar="KEY,...", help=text)


def patience_option(default):
    """Return the option that skips slow rows; `default` describes its default."""
    text = "Skip rows whose calls would last longer than this many seconds, estimated from a few"
    text += f" rows of pixels.  [default: {default}]"
    return click.option("--patience", type=SECONDS, help=text)


def seconds_option(text="the fast rows; slow rows take extra time"):
    """Return the option of the seconds for rounds; `text` describes the rounds."""
    text = f"Spend this many seconds in total on the rounds of {text}."
    return click.option("--seconds", type=SECONDS, default=30.0, show_default=True, help=text)


def make_plan(workload, chosen, seconds, patience, peers=False, settings=()):
    """Return the plan for the chosen rungs, or for all that are measured by default."""
    library = checkout.load("benchmarks.peers") if peers else None
    if library and not chosen:
        chosen = library.rungs()
    if library and patience is None:
        patience = PATIENCE
    keys = [rung.key for rung in chosen or registry.RUNGS]
    return Plan(
        keys if chosen else None,
        **vars(workload),
        options=read_settings(settings, keys),
        others=library.rows if library else tuple,
        patience=patience,
        seconds=seconds,
    )


def read_settings(settings, keys):
    """Map keys to options, from a list of KEY.OPTION=VALUE; refuse rungs that are not measured."""
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
        try:  # an empty mask is cheap, and reveals a bad value at once
            registry.get(key).load()([(0, 0), (1, 0), (0, 1)], (0, 0), **chosen)
        except Unavailable:
            continue  # the row will report it
    return options
