"""`polymask bench --against REVISION`: this checkout's build beside another commit's."""

import json

import click

from polymask.bench import against as comparing
from polymask.bench import machine, revisions, wilcoxon
from polymask.cli import bench_quiet
from polymask.cli.progress_bar import progress
from polymask.cli.terminal import console, say, wrote
from polymask.common import saving
from polymask.report import verdicts


def run(revision, chosen, keys, options, polygon, patience, seconds, json_file, force):
    """Build, compare, print; return the exit code."""
    commit = revisions.find(revision)
    with progress() as bar:
        bar.begin("building", 2)
        bar.working("building this checkout, as far as it has changed", long=True)
        here = revisions.here()
        bar.advance(1)
        there = revisions.there(commit, tell=lambda text: bar.working(text, long=True))
    before = machine.record(bench_quiet.look_first(force))
    if patience is None and not chosen:
        patience = comparing.PATIENCE
    names = "this checkout", revision
    comparison = comparing.Comparison(here, there, names, polygon.vertices, polygon.shape)
    others = [] if chosen else comparison.only_there(keys)
    with progress() as bar:
        comparison.run(keys, options, patience=patience, seconds=seconds, progress=bar)
    compared, out = comparison.outcome(), console()
    if compared:
        out.print(verdicts.table(compared, revision))
    for note in verdicts.notes(comparison, others, revision):
        say(out, f"- {note}")
    if compared:
        say(out, f"\n{verdicts.headline(compared, revision)}")
    if json_file:
        made = comparing.record(comparison, polygon, (revision, commit), before)
        saving.write(json_file, json.dumps(made, indent=1, allow_nan=False) + "\n")
        wrote(json_file)
    if comparison.interrupted:
        click.echo("interrupted: what was measured by then is used", err=True)
        return 130
    slower = any(row.estimate.verdict == wilcoxon.SLOWER for row in compared)
    wrong = any(row.status == "wrong" for row in comparison.rows)
    return 1 if slower or wrong or not compared else 0
