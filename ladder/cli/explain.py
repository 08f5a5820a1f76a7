"""`polymask explain`: the limits of a rung on this machine, and its distance from them."""

import click
from click.core import ParameterSource

from ladder.bench import driver
from ladder.bench.plan import Plan
from ladder.bench.result import Result, Sweep
from ladder.cli.rung_options import read_settings
from ladder.cli.workload_options import rung_options
from ladder.report import explanations, results
from polymask.cli.places import GIVEN
from polymask.cli.progress_bar import progress
from polymask.cli.terminal import console, say
from polymask.contract import Unavailable

SECONDS = 1.0  # for rounds: medians of a few samples are enough


@click.command()
@rung_options
@click.option(
    "--result",
    "result_file",
    metavar="FILE.json",
    type=GIVEN,
    help="Use the times of a saved result instead of measuring.",
)
def explain(rung, workload, settings, result_file):
    """Explain the time of a rung: what limits it, and how far it is from that limit.

    Its operations are counted, and the shortest time of each kind is measured on this machine in
    the same run. The products are the limits: memory, arithmetic, calls, and the launch on a
    device. The largest limit binds. On a GPU, the call is divided into kernel, launch, copy and the
    pages of a new mask instead.
    """
    if result_file:
        refuse_choices()
        result = one_result(result_file)
        source = str(result_file)
    else:
        options = {rung.key: read_settings(rung, settings)}
        result, source = measure(rung, workload, options), "this machine"
    row = result.row(rung.key)
    if row is None:
        raise ValueError(f"{source} has no row {rung.key}")
    if not row.ok:
        raise Unavailable(f"{rung.key} has no time: it was {row.status}", row.reason)
    if 0 in result.workload.shape:
        say(console(), f"{rung.key}: an image without pixels needs no work, so nothing limits it")
        return
    explained = explanations.of_result(result).get(rung.key)
    if explained is None:
        raise Unavailable(f"no limits for {rung.key} from {source}", reason(rung, result))
    bars, sentences = explanations.for_terminal(result, explained)
    out = console()
    out.print(bars)
    out.print()
    for text in sentences:
        say(out, text)


def measure(rung, workload, options):
    """Measure the rung and the prices."""
    rung.load()  # report missing packages at once
    keys = [rung.key, *filter(None, [rung.without])]
    plan = Plan(keys, **vars(workload), options=options, seconds=SECONDS, quick=True)
    with progress(f"measuring {rung.key} ...") as bar:
        result = driver.measure(plan, progress=bar)
    if result.interrupted:
        raise KeyboardInterrupt
    return result


def refuse_choices():
    """Refuse options that a saved result determines: its polygon, image and options."""
    context = click.get_current_context()
    for parameter in context.command.params:
        chosen = context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
        if chosen and parameter.name not in ("rung", "result_file"):
            raise click.UsageError(
                f"a saved result has its own workload and options: leave out {parameter.opts[0]}"
            )


def one_result(file):
    """Read the only result of a file."""
    loaded = results.load(file)
    if isinstance(loaded[0], Sweep):
        fact = f"{file} is a sweep, with a result for each value: give a file with a single result"
        raise ValueError(f"{fact}, as `polymask bench run` writes it")
    if not isinstance(loaded[0], Result):
        raise ValueError(f"{file} is a run on many polygons: limits are known for one polygon only")
    if len(loaded) != 1:
        raise ValueError(f"{file} has results for several workloads: give a file with one")
    return loaded[0]


def reason(rung, result):
    """Explain why a rung with a time has no limits."""
    if rung.work is None:
        return "its work is not counted: its entry in ladder/registry has no counts"
    if not result.yardstick.prices:
        return "it has no prices; `polymask bench` measures them after the modules are built"
    if rung.device:
        return "its device is not the CPU, and the time of its kernel or launch is not known"
    return "the prices that it needs were not measured"
