"""`polymask workshop list`: the exercises, their states, and the next one."""

import click
from rich.table import Table

from ladder.cli.workshop_texts import next_open
from ladder.workshop import exercises
from ladder.workshop.student import folder, prediction, progress
from polymask.cli.terminal import console
from polymask.common import figures

HEADINGS = ("", "exercise", "kind", "size", "state", "speed-up", "predicted", "title")
STATES = {
    progress.RIGHT: "right: the answer is right, but its speed has not been judged. To have it "
    "judged, stop other programs and run `polymask workshop check NAME`, or add --force",
    progress.BROKEN: "broken: an earlier answer was right, but the last check failed",
}


@click.command("list")
def list_exercises():
    """List the exercises with their states and speed-ups, and mark the next one."""
    where = folder.find()
    results, started = progress.load(where), list(map(exercises.get, folder.places(where)))
    following = next_open(where)
    out = console()
    table = Table(box=None, pad_edge=False, expand=out.is_terminal)
    for heading in HEADINGS:
        ratio = 1 if heading == "title" else None  # the title takes the remaining width
        table.add_column(heading, no_wrap=True, overflow="ellipsis", ratio=ratio)
    for exercise in started:
        result = results[exercise.name]
        table.add_row(
            "next" if exercise.name == following else "",
            exercise.directory,
            exercise.kind,
            exercise.stars,
            result.state,
            figures.digits(result.speed_up),
            prediction.written(result.predicted),
            exercise.title,
        )
    out.print(table)
    states = [results[exercise.name].state for exercise in started]
    counts = [f"{states.count(progress.PASSED)} of {len(started)} exercises passed"]
    if right := states.count(progress.RIGHT):
        counts.append(f"{right} right (speed not judged)")
    click.echo(f"{', '.join(counts)} in {where}")
    for state, meaning in STATES.items():
        if state in states:
            click.echo(meaning)
