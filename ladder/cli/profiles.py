"""`polymask profile`: the distribution of a rung's time."""

import functools
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from ladder import devices
from ladder.bench import estimate, rounds
from ladder.cli import interrupts
from ladder.cli.rung_options import read_settings
from ladder.cli.workload_options import rung_options
from ladder.profiling import calls, timeline
from polymask.cli.places import FILE, check_written
from polymask.cli.terminal import console, say, wrote
from polymask.common import figures, saving

MOST_ROWS, FEW_ROWS = 10, 3
LONG_S = 5.0  # a longer run is announced
PROFILED = 2.5  # approximate slowdown of plain Python under cProfile
SMALL_SHARE = 0.005
CALL_COLUMNS = 44  # the width of the columns of numbers


@click.command()
@rung_options
@click.option(
    "--out", type=FILE, metavar="FILE.prof", help="Write the profile here.  [default: KEY.prof]"
)
def profile(rung, workload, settings, out):
    """Profile a rung: count the calls to each function, and measure their times.

    The profiler is cProfile. A rung in Cython is built again for it, in a separate folder. A rung
    on a device also has a timeline of its commands. To do it by hand, run python -m cProfile -o
    tuples.prof -m polymask run python.tuples
    """
    options = read_settings(rung, settings)
    rung.load()
    out = out or Path(f"{rung.key}.prof")
    check_written("--out", out, workload.files, [".prof", ".pstats"])
    events = {} if rung.device else None
    stats = show_calls(rung, workload, options, out, events)
    if events:  # an image without pixels has none
        show_timeline(rung, workload, devices.kind(rung.device).commands(events), stats.total_tt)


def show_calls(rung, workload, options, out, events):
    """Print the table of calls with notes, write the profile, and return it."""
    with interrupts.ends_the_process(rung):
        clock_s = estimate_s(rung, workload, options)
        if PROFILED * clock_s > LONG_S:
            click.echo(
                f"this takes about {PROFILED * clock_s:.0f} s; a smaller --size is faster", err=True
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
    shares = calls.functions(stats)[:MOST_ROWS]
    large = [each for each in shares[FEW_ROWS:] if each.share >= SMALL_SHARE]
    for each in shares[:FEW_ROWS] + large:
        where = each.where if len(each.where) <= most else f"…{each.where[1 - most :]}"
        table.add_row(
            f"{each.calls:,}",
            figures.seconds(each.own_s),
            f"{100 * each.share:.0f} %",
            figures.seconds(each.total_s),
            Text(each.name),
            Text(where),
        )
    commands = devices.kind(rung.device).commands(events) if events else ()
    notice = calls.notice(rung, stats, clock_s, commands)
    show_table(heading(rung, workload, "by cProfile"), table, notice)
    wrote(out, then=": `snakeviz FILE` shows it in a browser")
    return stats


def estimate_s(rung, workload, options):
    """Return the approximate seconds of a call; a long one is estimated from a band of rows."""
    arguments, rows = (workload.vertices, workload.shape, options), workload.shape[0]
    time_rows = functools.partial(estimate.time_band, rung.load(), *arguments)
    seconds = estimate.estimate(time_rows, rounds.SLOW_CALL_S, rows)
    return seconds if seconds > rounds.SLOW_CALL_S else min(time_rows(rows) for _ in range(3))


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


def heading(rung, workload, method):
    """Return the heading of a table."""
    rows, cols = workload.shape
    return f"{rung.key}, {rows} x {cols} pixels, {len(workload.vertices)} vertices: {method}"


def show_table(title, table, sentences):
    """Print a table below its title, and sentences below it."""
    out = console()
    out.print(title, style="bold", highlight=False)
    out.print(table)
    out.print()
    for sentence in sentences:
        say(out, f"- {sentence}")
