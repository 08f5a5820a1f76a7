"""`polymask profile`: the distribution of a rung's time."""

import contextlib
import subprocess
import sys
import time
import webbrowser
from importlib.util import find_spec
from pathlib import Path

import click
from click.core import ParameterSource
from rich.table import Table
from rich.text import Text

from ladder import devices
from ladder.bench import estimate, rounds
from ladder.cli import interrupts
from ladder.cli.rung_options import read_settings
from ladder.cli.workload_options import choose_workload, rung_options
from ladder.profiling import calls, timeline, tools
from ladder.profiling import flame as flame_graph
from ladder.profiling import native as compiled_code
from polymask.cli.places import FILE, check_written
from polymask.cli.terminal import console, say, wrote
from polymask.common import figures, saving
from polymask.contract import Unavailable

MOST_ROWS, FEW_ROWS = 10, 3
LONG_S = 5.0  # a longer run is announced
PROFILED = 2.5  # approximate slowdown of plain Python under cProfile
CALLGRIND_SIZE = 128  # valgrind is about fifty times slower than the processor
SMALL_SHARE = 0.005
CALL_COLUMNS = 44  # the width of the columns of numbers
MARGINS = 6  # of a table of three columns


@click.command()
@rung_options
@click.option(
    "--out", type=FILE, metavar="FILE.prof", help="Write the profile here.  [default: KEY.prof]"
)
@click.option("--view", is_flag=True, help="Open the profile in a browser with snakeviz.")
@click.option(
    "--native",
    is_flag=True,
    help="Profile compiled code instead, with perf if this machine allows it, otherwise with "
    f"callgrind (50 times slower, by default on {CALLGRIND_SIZE} x {CALLGRIND_SIZE} pixels).",
)
@click.option("--tool", type=click.Choice(tools.TOOLS), help="Choose the tool for --native.")
@click.option(
    "--flame",
    type=FILE,
    metavar="FILE.svg",
    help="Sample the calls instead, in Python and C, with py-spy, and draw a flame graph.",
)
def profile(rung, workload, settings, out, view, native, tool, flame):
    """Profile a rung: count the calls to each function, and measure their times.

    The profiler is cProfile. A rung in Cython is built again for it, in a separate folder. A rung
    on a device also has a timeline of its commands. To do it by hand, run python -m cProfile -o
    tuples.prof -m polymask run python.tuples
    """
    native = native or tool is not None
    if native and (out or view):
        raise click.UsageError("--native writes no profile: leave out --out and --view")
    if flame and (native or out or view):
        raise click.UsageError(
            "--flame uses another profiler: leave out --native, --tool, --out and --view"
        )
    if view and find_spec("snakeviz") is None:
        raise Unavailable(
            "the package snakeviz is not installed", "pip install 'polymask[profile]'"
        )
    options = read_settings(rung, settings)
    rung.load()
    if native:
        show_native(rung, workload, options, tool)
        return
    if flame:
        draw_flame_graph(rung, workload, options, flame)
        return
    out = out or Path(f"{rung.key}.prof")
    check_written("--out", out, workload.files, [".prof", ".pstats"])
    events = {} if rung.device else None
    stats = show_calls(rung, workload, options, out, events)
    if events:  # an image without pixels has none
        show_timeline(rung, workload, devices.kind(rung.device).commands(events), stats.total_tt)
    if view:
        open_in_browser(out)


def open_in_browser(out):
    """Show a profile in snakeviz until Ctrl-C; without a browser, print the address."""
    command = [sys.executable, "-m", "snakeviz", str(out)]
    try:
        webbrowser.get()
    except webbrowser.Error:
        command.append("--server")
    with contextlib.suppress(KeyboardInterrupt):  # ends snakeviz
        subprocess.run(command, check=False)


def show_calls(rung, workload, options, out, events):
    """Print the table of calls with notes, write the profile, and return it."""
    with interrupts.ends_the_process(rung):
        clock_s = estimate_s(rung, workload, options)
        if PROFILED * clock_s > LONG_S:
            click.echo(
                f"this takes about {PROFILED * clock_s:.0f} s; a smaller --size is faster",
                err=True,
            )
        stats = calls.profile(rung, workload.vertices, workload.shape, options, events)
    with saving.replacing(out) as unfinished:
        stats.dump_stats(unfinished)
    table, room = Table(box=None), min(console().width, 120) - CALL_COLUMNS
    most = 3 * room // 5
    for name in ("ncalls", "tottime", "share", "cumtime"):  # the names of pstats and the lessons
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("function", no_wrap=True, overflow="ellipsis", max_width=2 * room // 5)
    table.add_column("where", no_wrap=True, overflow="ellipsis", max_width=most)
    for each in large(calls.functions(stats)):
        where = each.where if len(each.where) <= most else f"…{each.where[1 - most :]}"
        table.add_row(
            f"{each.calls:,}",
            figures.seconds(each.own_s),
            percent(each.share),
            figures.seconds(each.total_s),
            Text(each.name),
            Text(where),
        )
    commands = devices.kind(rung.device).commands(events) if events else ()
    notice = calls.notice(rung, stats, clock_s, commands)
    show_table(heading(rung, workload, "by cProfile"), table, notice)
    wrote(out, then=": --view shows it in a browser")
    return stats


def estimate_s(rung, workload, options):
    """Return the approximate seconds of a call; a long one is estimated from a band of rows."""
    make_mask, rows = rung.load(), workload.shape[0]

    def band(count):
        start = time.perf_counter()
        estimate.band(make_mask, workload.vertices, workload.shape, options, count)
        return time.perf_counter() - start

    seconds = estimate.estimate(band, rounds.SLOW_CALL_S, rows)
    return seconds if seconds > rounds.SLOW_CALL_S else min(band(rows) for _ in range(3))


def show_timeline(rung, workload, commands, whole_s):
    """Print the commands of the profiled call, which lasted `whole_s`."""
    whole, out = max(command.end for command in commands), console()
    table = Table(box=None)
    table.add_column("command", no_wrap=True)
    width = max(20, min(out.width, 120) - 52)
    table.add_column(f"0 to {figures.seconds(whole)}", no_wrap=True, min_width=width)
    for name in ("queued", "submitted", "ran"):
        table.add_column(name, justify="right", no_wrap=True)
    for each in commands:
        table.add_row(
            timeline.name(each),
            timeline.bar(each, whole, width),
            figures.seconds(each.submit - each.queued),
            figures.seconds(each.start - each.submit),
            figures.seconds(each.ran),
        )
    click.echo()
    show_table(
        heading(rung, workload, "commands of the same call, by the device's clock"),
        table,
        timeline.notice(commands, whole_s),
    )


def show_native(rung, workload, options, tool):
    """Print the functions and lines of compiled code with their shares."""
    if not rung.compiled:
        advice = "its kernel runs on the device; without --native, its commands have a timeline"
        if not rung.device:
            advice = "`polymask profile` without --native shows its calls"
        raise Unavailable(f"{rung.key} is not a compiled module", advice)
    tool = tools.choose(tool)
    if tool == "callgrind" and not chose_workload():
        workload = choose_workload(CALLGRIND_SIZE, None, None, None, None, False)
    click.echo(f"building {rung.key} with line numbers, and running it with {tool}", err=True)
    shares = compiled_code.profile(rung, workload.vertices, workload.shape, options, tool)
    unit = "instructions" if tool == "callgrind" else "samples"
    functions, lines, out = Table(box=None), Table(box=None), console()
    for table, names in ((functions, ("function", "module")), (lines, ("line", ""))):
        table.add_column(unit, justify="right", no_wrap=True)
        for name in names:
            table.add_column(name, no_wrap=True, overflow="ellipsis")
    for each in large(shares.functions):
        functions.add_row(percent(each.share), Text(each.name), Text(each.where.partition(".")[0]))
    names = max((len(each.name) for each in large(shares.lines)), default=0)
    room = max(20, out.width - len(unit) - names - MARGINS)
    for each in large(shares.lines):
        text = Text(compiled_code.source_line(rung, each.name))
        text.truncate(room, overflow="ellipsis")
        lines.add_row(percent(each.share), Text(each.name), text)
    show_table(heading(rung, workload, f"{unit} by {tool}"), functions, [])
    show_table(None, lines, ["Only lines of this project are shown.", *notes(rung, shares)])


def draw_flame_graph(rung, workload, options, file):
    """Write a flame graph of a rung, and say how to look at it."""
    check_written("--flame", file, workload.files, [".svg"])
    with saving.replacing(file) as unfinished:
        title = heading(rung, workload, "samples by py-spy")
        flame_graph.draw(rung, workload.vertices, workload.shape, options, unfinished, title)
    wrote(file, then=": open it in a browser; a click on a call enlarges it")


def notes(rung, shares):
    """Return notes on the shares."""
    if shares.tool == "perf":
        return ["Samples show where the time goes, including the start of Python."]
    sentences = [
        f"{shares.total:,} instructions ran within make_mask. Instructions are not time: a "
        "division takes many cycles, and a mispredicted branch takes even more.",
        "Valgrind simulates a processor without AVX-512, so no code used more than AVX2.",
    ]
    if "threads" in rung.options:
        sentences.append("The rung had one thread, as callgrind follows only the calling thread.")
    return sentences


def large(shares):
    """Return the entries worth a row: the first few, and those with a large share."""
    others = shares[FEW_ROWS:MOST_ROWS]
    return shares[:FEW_ROWS] + [other for other in others if other.share >= SMALL_SHARE]


def chose_workload():
    """Return whether the command line chooses an image or a polygon."""
    context = click.get_current_context()
    names = ("size", "shape", "vertices", "seed", "polygon", "fit")
    return any(context.get_parameter_source(n) is ParameterSource.COMMANDLINE for n in names)


def heading(rung, workload, method):
    """Return the heading of a table."""
    rows, cols = workload.shape
    return f"{rung.key}, {rows} x {cols} pixels, {len(workload.vertices)} vertices: {method}"


def percent(share):
    """Write a share without decimals."""
    return f"{100 * share:.0f} %"


def show_table(title, table, sentences):
    """Print a table below its title, and sentences below it."""
    out = console()
    if title:
        out.print(title, style="bold", highlight=False)
    out.print(table)
    out.print()
    for sentence in sentences:
        say(out, f"- {sentence}")
