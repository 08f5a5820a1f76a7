"""`polymask workshop list`: what is there, what passed, and what comes next."""

import click
from rich.table import Table

from polymask.cli.terminal import console
from polymask.cli.workshop_check import next_open
from polymask.common import saving
from polymask.contract import Unavailable
from polymask.report import figures
from polymask.workshop import exercises
from polymask.workshop.student import folder, prediction, progress

WIDE, NARROW = 110, 70  # columns of a terminal: for all of the list, and for a title of some words
CHANGED = "*"  # beside a state
EXTRA = ("hints", "minutes")  # the columns that a terminal which is not wide does without
STATES = {
    progress.RIGHT: "right: passed, its speed not judged yet; check it again when the machine is "
    "quiet",
    progress.BROKEN: "broken: it passed once, and did not at its last check",
}


@click.command("list")
def list_exercises():
    """List the exercises, what passed, the best speed-up so far, and the next one."""
    where = folder.find()
    lines, there = progress.load(where), list(map(exercises.get, folder.places(where)))
    following = next_open(where, [exercise.name for exercise in there])
    changed = changed_since(where, there)
    out = console()
    columns = {
        "": ["next" if exercise.name == following else "" for exercise in there],
        "exercise": [exercise.directory for exercise in there],
        "state": [lines[e.name].state + (CHANGED if e in changed else "") for e in there],
        "best": [figures.digits(lines[exercise.name].best) for exercise in there],
        "predicted": [prediction.written(lines[exercise.name].prediction) for exercise in there],
        "hints": [str(lines[exercise.name].hints) for exercise in there],
        "minutes": [str(exercise.minutes) for exercise in there],
        "title": [exercise.title for exercise in there],
    }
    for name in EXTRA if out.width < WIDE else ():
        del columns[name]
    if out.width < NARROW:
        del columns["title"]
    table = Table(box=None, pad_edge=False, expand=out.is_terminal and "title" in columns)
    for heading in columns:
        rest = 1 if heading == "title" else None  # what the others leave
        table.add_column(heading, no_wrap=True, overflow="ellipsis", ratio=rest)
    for row in zip(*columns.values(), strict=True):
        table.add_row(*row)
    out.print(table)
    passed = sum(lines[e.name].holds for e in there)
    click.echo(f"{passed} of {len(there)} passed, in {where}")
    states = {lines[e.name].state for e in there}
    for state, meaning in STATES.items():
        if state in states:
            click.echo(meaning)
    if changed:
        click.echo(f"{CHANGED}: changed since its last check, which may not hold any more")
    try:
        drawn = prediction.draw(where, [exercise.name for exercise in there])
    except (Unavailable, saving.NotWritten) as error:
        click.echo(str(error), err=True)
        return
    if drawn:
        click.echo(f"predicted against measured: {drawn[0]}")


def changed_since(where, there):
    """Return the exercises whose answers are not those of their last checks any more."""
    checked = {name: one.get("answer") for name, one in progress.results(where).items()}
    found = {e.name: progress.digest([where / e.directory / f for f in e.files]) for e in there}
    return [e for e in there if checked.get(e.name) not in (None, found[e.name])]
