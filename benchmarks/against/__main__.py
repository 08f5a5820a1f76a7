"""Measures another commit and this checkout in turns, and says which rungs are slower or faster.

    python -m benchmarks.against HEAD~1

builds the commit once, in build/revisions. Without --rungs, it compares all rungs except those that
call Python for each pixel. The exit code is 1 if a rung is slower or wrong, 2 for bad input, and
130 after Ctrl-C.
"""

import sys

import click

from benchmarks import peers
from benchmarks.against import comparison, pairs, trees
from ladder.cli import bench_options as options
from ladder.cli.bench_quiet import look_first
from ladder.cli.workload_options import workload_options
from ladder.common import checkout
from ladder.report import text_table
from polymask.cli.progress_bar import progress
from polymask.cli.terminal import console, say
from polymask.common import figures
from polymask.contract import Unavailable


@click.command(help=__doc__.replace("\n\n", "\n\n\b\n", 1))
@click.argument("revision")
@workload_options
@options.rungs_option()
@options.set_option
@options.seconds_option()
@options.force_option
def main(revision, force, chosen, **choices):
    """Build both trees, compare them, and print the outcome."""
    try:
        plan = options.make_plan(chosen=chosen or peers.rungs(), patience=None, **choices)
        compared = compare(revision, plan, force)
    except (Unavailable, ValueError) as error:
        click.echo(error, err=True)
        sys.exit(2)
    rows, out = compared.outcome(), console()
    if rows:
        out.print(table(rows, revision))
    for row in compared.rows:
        if row.reason:
            say(out, f"- {row.key} is {row.status}: {row.reason}")
    if rows:
        say(
            out,
            f"\nRatio: time here divided by time there. In {100 * pairs.CONFIDENCE:g} of 100 runs, "
            "all intervals contain the true ratio. A row is slower or faster if its whole interval "
            f"is beyond {percent(pairs.LEAST)}.",
        )
    slower = any(row.estimate.verdict == pairs.SLOWER for row in rows)
    wrong = any(row.status == "wrong" for row in compared.rows)
    sys.exit(130 if compared.interrupted else int(slower or wrong or not rows))


def compare(revision, plan, force):
    """Build this checkout and a revision; return their `Comparison` after its run."""
    commit = checkout.find(revision)
    with progress() as bar:
        bar.begin("building", 2)
        bar.working("building the changed files of this checkout", long=True)
        here = trees.build(checkout.ROOT)
        bar.advance(1)
        bar.working(f"building {commit[:12]}", long=True)
        there = trees.build(trees.exported(commit))
    look_first(force)
    compared = comparison.Comparison(here, there, ("this checkout", revision), plan)
    with progress() as bar:
        compared.run(bar)
    return compared


def table(rows, revision):
    """Return the table for rich."""
    headings = ("row", "verdict", revision, "here", "ratio", f"{100 * pairs.CONFIDENCE:g} %")
    texts = []
    for row in rows:
        times = (figures.seconds(seconds) for seconds in (row.seconds(1), row.seconds(0)))
        estimate = row.estimate
        ends = f"{estimate.low:.3f}–{estimate.high:.3f}"
        texts.append((row.key, verdict(estimate), *times, f"{estimate.ratio:.3f}", ends))
    content = text_table.make("", headings, 2, texts)
    return text_table.for_terminal(content, wrap="ellipsis", box=None, pad_edge=False)


def verdict(estimate):
    """Return the verdict of an estimate; if there is none, with the largest possible difference."""
    if estimate.verdict == pairs.SAME:
        return f"{pairs.SAME} (at most {percent(estimate.unseen)})"
    return estimate.verdict


def percent(part):
    """Write a part of 1: 4.2 %."""
    return f"{figures.digits(100 * part, 2)} %"


if __name__ == "__main__":
    main()
