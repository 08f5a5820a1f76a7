"""`polymask workshop list` and `predictions`: progress by lesson, and predictions over time."""

import math
import time

import click
from rich.table import Table

from ladder.common import confidence
from ladder.workshop import exercises
from ladder.workshop.student import folder, prediction, progress
from polymask.cli.terminal import console
from polymask.common import figures

BAR = 20  # characters
HEADINGS = ("", "exercise", "kind", "size", "best", "predicted", "title")
MARKS = {progress.OPEN: "", progress.RIGHT: "✓", progress.PASSED: "✓", progress.BROKEN: "✗"}
LEGENDS = {
    progress.RIGHT: "~ the speed is not judged yet: `polymask workshop check --pending` does so on "
    "a quiet machine",
    progress.BROKEN: "✗ an earlier answer was right, but the last check failed",
}
BLOCKS = 4  # of a bar, for each factor of two
PREDICTED = ("date", "exercise", *(NUMBERS := ("predicted", "measured", "off by")), "")


@click.command("list")
@click.option("--all", "every", is_flag=True, help="List the exercises of all lessons.")
def list_exercises(every):
    """Show your progress by lesson, and the exercises of the current folder's or next lesson.

    With a course.txt, all exercises of the course are listed.
    """
    where = folder.find()
    results, started = progress.load(where), list(map(exercises.get, folder.places(where)))
    following = next(folder.unfinished(where), None)
    out, lessons = console(), {}
    for exercise in started:
        lesson = lessons.setdefault(exercise.folder.parents[1].name, [])
        lesson.append(results[exercise.name].holds)
    for lesson, done in lessons.items():
        bar = "█" * (BAR * sum(done) // len(done))
        click.echo(f"{lesson:<12} {bar:░<{BAR}} {sum(done)} of {len(done)}")
    here = folder.name_here(where) or following
    current = next((e.rung for e in started if e.name == here), None)
    every = every or current is None or folder.course(where)
    table = Table(box=None, pad_edge=False, expand=out.is_terminal)
    for heading in HEADINGS:
        ratio = 1 if heading == "title" else None  # the title takes the remaining width
        table.add_column(heading, no_wrap=True, overflow="ellipsis", ratio=ratio)
    for exercise in (shown := [e for e in started if every or e.rung == current]):
        result = results[exercise.name]
        table.add_row(
            MARKS[result.state] + " next" * (exercise.name == following),
            exercise.directory,
            exercise.kind,
            exercise.stars,
            "~" * (result.state == progress.RIGHT) + figures.digits(result.speed_up),
            prediction.written(result.predicted),
            exercise.title,
        )
    out.print("", table, sep="\n", highlight=False)
    done = sum(results[exercise.name].holds for exercise in started)
    click.echo(f"{done} of {len(started)} exercises passed in {where}")
    for line in folder.closed(exercise.name for exercise in shown):
        click.echo(line)
    for state, meaning in LEGENDS.items():
        if any(results[exercise.name].state == state for exercise in shown):
            click.echo(meaning)


@click.command("predictions")
def list_predictions():
    """Show your predictions beside the first measurements, in the order of time.

    A bar shows the factor between both, on a logarithmic scale.
    """
    results = progress.load(folder.find()).items()
    stated = [(result.predicted_at or 0, name, result) for name, result in results if result.off]
    table, factors = Table(box=None, pad_edge=False), []
    for heading in PREDICTED:
        table.add_column(heading, justify="right" if heading in NUMBERS else "left", no_wrap=True)
    for at, name, result in sorted(stated, key=lambda row: row[:2]):
        factors.append(factor := max(result.off, 1 / result.off))
        table.add_row(
            time.strftime("%Y-%m-%d", time.localtime(at)) if at else "",
            name,
            prediction.written(result.predicted),
            figures.digits(result.measured),
            figures.digits(factor, 2),
            "█" * round(BLOCKS * math.log2(factor)),
        )
    if not factors:
        click.echo("nothing was predicted and measured yet: a check asks before it measures")
        return
    console().print(table, highlight=False)
    if len(factors) > 1:
        halves = factors[: len(factors) // 2], factors[len(factors) // 2 :]
        first, second = (figures.digits(confidence.median(half), 2) for half in halves)
        click.echo(f"median factor: {first} in the first half, {second} in the second half")
