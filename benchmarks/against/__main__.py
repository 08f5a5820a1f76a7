"""Measures another commit and this checkout in turns, and says which rungs are slower or faster.

    python -m benchmarks.against HEAD~1

builds the commit once, in build/revisions. The exit code is 1 if a rung is slower or wrong, 2 for
bad input, and 130 after Ctrl-C.
"""

import sys

import click

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
@options.patience_option(f"{comparison.PATIENCE:g}, with --rungs no limit")
@options.seconds_option()
@options.force_option
def main(revision, force, **choices):
    """Build both trees, compare them, and print the outcome."""
    try:
        plan = options.make_plan(**choices)
        if plan.patience is None and plan.keys is None:
            plan.patience = comparison.PATIENCE
        compared = compare(revision, plan, force)
    except (Unavailable, ValueError) as error:
        click.echo(error, err=True)
        sys.exit(2)
    rows, out = compared.outcome(), console()
    if rows:
        out.print(table(rows, revision))
    for note in notes(compared, rows):
        say(out, f"- {note}")
    if rows:
        say(out, f"\nThis checkout, against {revision}: {headline(rows)}.")
    slower = any(row.estimate.verdict == pairs.SLOWER for row in rows)
    wrong = any(row.status == "wrong" for row in compared.rows)
    sys.exit(130 if compared.interrupted else int(slower or wrong or not rows))


def compare(revision, plan, force):
    """Build this checkout and a revision; return their `Comparison` after its run."""
    commit = checkout.find(revision)
    with progress() as bar:
        bar.begin("building", 2)
        bar.working("building the changed files of this checkout", long=True)
        own_tree = trees.build_checkout()
        bar.advance(1)
        bar.working(f"building {commit[:12]}, once", long=True)
        other_tree = trees.build_commit(commit)
    look_first(force)
    compared = comparison.Comparison(own_tree, other_tree, ("this checkout", revision), plan)
    with progress() as bar:
        compared.run(progress=bar)
    return compared


def table(rows, revision):
    """Return the table for rich."""
    texts = []
    for row in rows:
        estimate = row.estimate
        times = figures.seconds(row.there_s), figures.seconds(row.here_s)
        ratio = f"{estimate.ratio:.3f}", f"{estimate.low:.3f}–{estimate.high:.3f}"
        texts.append((row.key, *times, *ratio, str(len(row.pairs_s)), verdict(estimate)))
    numbers = (revision, "here", "ratio", f"{100 * pairs.CONFIDENCE:g} %", "pairs")
    first, last = (text_table.Heading(text, words=True) for text in ("row", "verdict"))
    content = text_table.Table("", (first, *map(text_table.Heading, numbers), last), texts)
    return text_table.for_terminal(content, wrap="ellipsis", box=None, pad_edge=False)


def verdict(estimate):
    """Return the verdict of an estimate; if there is none, with the largest possible difference."""
    if estimate.verdict == pairs.SAME:
        return f"{pairs.SAME} (at most {percent(estimate.unseen)})"
    return estimate.verdict


def percent(part):
    """Write a part of 1: 4.2 %."""
    return f"{figures.digits(100 * part, 2)} %"


def headline(rows):
    """Return the verdicts in a few words."""
    parts = []
    for wanted in (pairs.SLOWER, pairs.FASTER):
        if keys := [row.key for row in rows if row.estimate.verdict == wanted]:
            parts.append(f"{wanted}: {figures.listed(keys)}")
    return "; ".join(parts) or f"{pairs.SAME} at this many pairs"


def notes(compared, rows):
    """Return notes on the table: missing rows, and the confidence of its verdicts."""
    lines = [f"{row.key} is {row.status}: {row.reason}" for row in compared.rows if row.reason]
    if few := [row.key for row in compared.able() if row not in rows]:
        lines.append(f"Too few pairs for an interval: {figures.listed(few)}.")
    if rows:
        lines.append(
            "Ratio: time here divided by time there. In "
            f"{100 * pairs.CONFIDENCE:g} of 100 runs, all intervals contain the true ratio. A "
            f"row is slower or faster if its whole interval is beyond {percent(pairs.LEAST)}."
        )
    return lines


if __name__ == "__main__":
    main()
