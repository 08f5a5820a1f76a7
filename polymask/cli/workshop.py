"""`polymask workshop`: the commands for exercises, such as start, check and hint."""

import difflib
import time
from pathlib import Path

import click
from rich.table import Table

from polymask.cli.group import Commands
from polymask.cli.options import Text
from polymask.cli.places import FOLDER, GIVEN_FOLDER, Place
from polymask.cli.terminal import console, wrote
from polymask.cli.workshop_check import next_open, run_check
from polymask.cli.workshop_list import WIDE, list_exercises
from polymask.common import saving
from polymask.common.error_text import in_a_line
from polymask.report import figures
from polymask.workshop import exercises
from polymask.workshop.author import collect as collecting
from polymask.workshop.author import student_results
from polymask.workshop.author import verify as verifying
from polymask.workshop.student import folder, prediction, progress

EVERY = "every"  # for all lessons
WATCH_S = 0.5  # between two checks of `watch` for a saved file


def read_lessons(text):
    """Read comma-separated lesson numbers, or `EVERY`."""
    known = {exercise.rung for exercise in exercises.every()}
    if text == EVERY:
        return known
    try:
        numbers = {int(number) for number in text.split(",")}
    except ValueError:
        raise ValueError(f"expected numbers like 0,1,4, got {text!r}") from None
    if numbers - known:
        missing, lessons = min(numbers - known), ", ".join(map(str, sorted(known)))
        raise ValueError(f"lesson {missing} has no exercises; lessons with exercises are {lessons}")
    return numbers


def read_speed_up(text):
    """Read a speed-up in one of the usual notations."""
    try:
        return prediction.read(text)
    except ValueError as error:
        raise ValueError(f"{text!r}: {error}") from None


EXERCISE, LESSONS = Text("name", exercises.get), Text("0,1,...", read_lessons)
SPEED_UP = Text("times", read_speed_up)
NAME = click.argument("exercise", metavar="[NAME]", type=EXERCISE, required=False)


@click.group(cls=Commands)
def workshop():
    """Work on exercises with hints, and check your answers."""
    exercises.need_checkout()


workshop.add_command(list_exercises)


@workshop.command()
@click.argument("where", metavar="[DIR]", required=False, type=Place(path_type=Path))
@click.option("--only", type=LESSONS, metavar="0,1,...", help="Write only these lessons.")
def start(where, only):
    """Create one folder per exercise in DIR, with the task and a starter file.

    The default DIR is the workshop that contains the current folder, or else ./workshop. Existing
    files are never overwritten; `reset` restores a starter file.
    """
    where, all_exercises = where or folder.find_or_name(), exercises.every(only)
    try:
        written = folder.start(where, all_exercises)
    except saving.NotWritten as error:
        advice = "choose one of your folders, such as `polymask workshop start ~/workshop`"
        raise ValueError(f"{error}; {advice}") from None
    place = in_a_line(str(where))
    click.echo(
        f"{place}: {figures.count(len(written), 'exercise')} written, "
        f"{len(all_exercises) - len(written)} existed"
    )
    directories = {exercise.name: where / exercise.directory for exercise in all_exercises}
    first = next_open(where, list(directories))
    if first:
        click.echo(f"begin with {in_a_line(str(directories[first] / 'task.md'))}")
        click.echo(f"then, in {place}: polymask workshop check {first}")


@workshop.command()
@NAME
@click.option("--predict", type=SPEED_UP, help="State the speed-up you expect; the first counts.")
@click.option("--force", is_flag=True, help="Judge the speed, even if the machine is busy.")
def check(exercise, predict, force):
    """Check your answer: build it, test it on hostile polygons, and measure it.

    The default NAME is the exercise of the current folder, or else the first open exercise.
    """
    where, exercise = choose(exercise)
    return 0 if run_check(exercise, where, predict, force) else 1


@workshop.command()
@NAME
def hint(exercise):
    """Show the hints so far and one more.

    The default NAME is the exercise of the current folder, or else the first open exercise.
    """
    where, exercise = choose(exercise)
    hints = exercise.hints()
    line = progress.load(where)[exercise.name]
    count = min(line.hints + 1, len(hints))
    for number, text in enumerate(hints[:count], start=1):
        click.echo(f"{exercise.name}, hint {number} of {len(hints)}\n\n{text}\n")
    if line.hints >= len(hints):
        command = f"polymask workshop solution {exercise.name} --give-up"
        click.echo(f"that was the last hint; `{command}` shows the solution")
    progress.note(where, exercise.name, hints=count)  # last: the disk may be full


@workshop.command()
@NAME
def reset(exercise):
    """Restore the starter file, and keep your file as a copy.

    The default NAME is the exercise of the current folder.
    """
    where, exercise = choose(exercise, or_open=False)
    for copy in folder.reset(where, exercise):
        click.echo(f"kept your file as {in_a_line(str(copy))}")
    click.echo(f"{in_a_line(str(where / exercise.directory))}: the starter is restored")


@workshop.command()
@NAME
@click.option("--give-up", is_flag=True, help="Show the solution before you have passed.")
def solution(exercise, give_up):
    """Compare your file with the solution, after you have passed or with --give-up.

    The default NAME is the exercise of the current folder.
    """
    where, exercise = choose(exercise, or_open=False)
    if not give_up and not progress.load(where)[exercise.name].passed:
        click.echo(
            f"{exercise.name} has not passed yet: run `polymask workshop hint {exercise.name}`, "
            "or add --give-up",
            err=True,
        )
        return 1
    for name, origin in exercise.files.items():
        mine = where / exercise.directory / name
        folder.require_file(mine)
        text = mine.read_text(encoding="utf-8", errors="replace") if mine.exists() else ""
        lines = difflib.unified_diff(
            text.splitlines(keepends=True),
            exercise.solution(name).splitlines(keepends=True),
            f"yours: {name}",
            f"solution: {origin}",
        )
        click.echo("".join(lines) or f"{name}: no difference\n", nl=False)
    return 0


@workshop.command()
@NAME
def watch(exercise):
    """Check an exercise each time you save its file, until it passes or Ctrl-C ends it."""
    where, exercise = choose(exercise)
    files = [where / exercise.directory / name for name in exercise.files]
    checked = None
    while True:
        times = [file.stat().st_mtime_ns if file.exists() else 0 for file in files]
        if times != checked:
            checked = times
            passed = run_check(exercise, where)
            if passed:
                return 0
            click.echo("waiting for the next save; Ctrl-C ends it")
        time.sleep(WATCH_S)


@workshop.command()
@click.argument("names", metavar="[NAME]...", type=EXERCISE, nargs=-1)
def verify(names):
    """Prove that starters and wrong answers fail, and that right answers pass (for authors)."""
    faulty = 0
    for exercise in names or exercises.every():
        try:
            exercise.require()
        except exercises.Unavailable as unavailable:
            click.echo(f"skipped {exercise.name}: {unavailable}")
            continue
        faults = verifying.verify(exercise, lambda text: click.echo(f"  {text}", err=True))
        faulty += bool(faults)
        click.echo(f"{'WRONG' if faults else 'good '} {exercise.name}")
        for fault in faults:
            click.echo(f"  {fault}")
    return 1 if faulty else 0


@workshop.command()
@click.argument("results", metavar="FOLDER", type=GIVEN_FOLDER)
@click.option("--out", type=FOLDER, help="Write to this folder.  [default: FOLDER]")
def collect(results, out):
    """Merge the results.json of each student, saved as FOLDER/NAME.json, into tables and plots."""
    out = out or results
    students, remarks = student_results.load(results)
    for remark in remarks:
        click.echo(remark, err=True)
    terminal = console()
    table = Table(box=None, pad_edge=False)
    headings, *rows = collecting.summary(students, narrow=terminal.width < WIDE)
    for heading in headings:
        names = heading in collecting.NAMES
        side = "left" if collecting.is_text(heading) else "right"
        table.add_column(heading, justify=side, no_wrap=not names, overflow="fold")
    for row in rows:
        table.add_row(*row)
    terminal.print(table)
    click.echo(collecting.LEGEND.strip())
    saving.make_folder(out)
    files, errors, lacking = collecting.write(students, out)
    for error in filter(None, (*errors, lacking)):
        click.echo(error, err=True)
    if files:
        wrote(", ".join(map(str, files)))
    return 1 if remarks or errors else 0


def choose(exercise, or_open=True):
    """Return the workshop's folder, and the given, current, or first open exercise."""
    where = folder.find()
    if exercise is None:
        name = folder.name_here(where)
        if name is None and not or_open:
            raise click.UsageError("name an exercise, or change to its folder")
        name = name or next_open(where, list(folder.places(where)))
        if name is None:
            raise click.UsageError("all exercises have passed: name one")
        exercise = exercises.get(name)
    return where, exercise
