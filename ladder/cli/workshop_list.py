"""`polymask workshop list`: the exercises, their states, and the next one."""

import click
from rich.table import Table

from ladder.cli.workshop_texts import next_open
from ladder.workshop import exercises
from ladder.workshop.student import folder, prediction, progress
from polymask.cli.terminal import console
from polymask.common import figures, saving
from polymask.contract import Unavailable

WIDE, NARROW = 110, 70  # least terminal width, in characters, for all columns, and for the title
CHANGED = "*"  # follows the state of an exercise that has changed
EXTRA = ("hints", "minutes")  # columns for wide terminals only
STATES = {
    progress.RIGHT: "right: the answer is right, but its speed has not been judged. To have it "
    "judged, stop other programs and run `polymask workshop check NAME`, or add --force",
    progress.BROKEN: "broken: an earlier answer was right, but the last check failed",
}


@click.command("list")
def list_exercises():
    """List the exercises with their states and best speed-ups, and mark the next one."""
    show_list(folder.find())


def show_list(where):
    """Print the table of the exercises in a workshop, and draw the chart of predictions."""
    lines, started = progress.load(where), list(map(exercises.get, folder.places(where)))
    following = next_open(where, [exercise.name for exercise in started])
    changed = changed_since(where, started)
    out = console()
    columns = {
        "": ["next" if exercise.name == following else "" for exercise in started],
        "exercise": [exercise.directory for exercise in started],
        "state": [lines[e.name].state + (CHANGED if e in changed else "") for e in started],
        "best": [figures.digits(lines[exercise.name].best) for exercise in started],
        "predicted": [prediction.written(lines[exercise.name].prediction) for exercise in started],
        "hints": [str(lines[exercise.name].hints) for exercise in started],
        "minutes": [str(exercise.minutes) for exercise in started],
        "title": [exercise.title for exercise in started],
    }
    for name in EXTRA if out.width < WIDE else ():
        del columns[name]
    if out.width < NARROW:
        del columns["title"]
    table = Table(box=None, pad_edge=False, expand=out.is_terminal and "title" in columns)
    for heading in columns:
        ratio = 1 if heading == "title" else None  # the title takes the remaining width
        table.add_column(heading, no_wrap=True, overflow="ellipsis", ratio=ratio)
    for row in zip(*columns.values(), strict=True):
        table.add_row(*row)
    out.print(table)
    states = [lines[e.name].state for e in started]
    counts = [f"{states.count(progress.PASSED)} of {len(started)} exercises passed"]
    if right := states.count(progress.RIGHT):
        counts.append(f"{right} right (speed not judged)")
    click.echo(f"{', '.join(counts)} in {where}")
    for state, meaning in STATES.items():
        if state in states:
            click.echo(meaning)
    if changed:
        click.echo(
            f"{CHANGED}: the answer has changed since the last check, "
            "so the state may be out of date"
        )
    try:
        charts = prediction.draw(where, [exercise.name for exercise in started])
    except (Unavailable, saving.NotWritten) as error:
        click.echo(str(error), err=True)
        return
    if charts:
        click.echo(f"chart of predicted and measured speed-ups: {charts[0]}")


def changed_since(where, started):
    """Return the exercises whose answers have changed since they were last checked."""
    checked = {name: result.get("answer") for name, result in progress.results(where).items()}
    digests = {e.name: progress.digest([where / e.directory / f for f in e.files]) for e in started}
    return [e for e in started if checked.get(e.name) not in (None, digests[e.name])]
