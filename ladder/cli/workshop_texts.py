"""What a student reads about an exercise: its task, hints, solution, and answers to questions."""

import difflib
import re

import click

from ladder.workshop import exercises
from ladder.workshop.student import folder, progress
from polymask.cli.terminal import folded
from polymask.common.error_text import in_a_line

HUNK = re.compile(r"@@ -\S+ \+(\d+)")  # the first line of the solution in a part of a diff


def show_task(where, exercise):
    """Print the folder, the title, the size and the beginning of a task, and what to run."""
    place = where / exercise.directory
    click.echo(f"{exercise.directory} ({exercise.size}): {exercise.title}\n")
    first_section = "\n## ".join(exercise.task().split("\n## ")[:2])
    click.echo(first_section.partition("\n")[2].strip())  # without the title
    files = [name for name in exercise.files if exercise.regions.get(name)]
    click.echo(f"\nread {in_a_line(str(place / 'task.md'))}, and edit {' and '.join(files)} there")
    click.echo(f"then: polymask workshop check {exercise.name}")


def show_next(where, after=None):
    """Print the next open exercise, after another if given; return it, or None."""
    name = next_open(where) if after is None else next_after(where, after)
    if name is None:
        other = "exercise" if after is None else "other exercise"
        click.echo(f"no {other} in {in_a_line(str(where))} is open")
        show_right(where)
        return None
    exercise = exercises.get(name)
    show_task(where, exercise)
    return exercise


def show_right(where):
    """Print the exercises whose speed has not been judged."""
    results = progress.load(where)
    if names := [name for name in folder.places(where) if results[name].state == progress.RIGHT]:
        click.echo(folded(f"right, but the speed is not judged yet: {', '.join(names)}"))


def next_after(where, name):
    """Return the next open exercise behind an exercise, else before it, or None."""
    names = list(folder.places(where))
    at = names.index(name) if name in names else len(names)  # not of the course
    return next_open(where, names[at + 1 :] + names[:at])


def next_open(where, names=None):
    """Return the first exercise that has not passed, else the first broken one, or None.

    `names` are those of the exercises in question, in order; by default, all in the workshop.
    """
    results, names = progress.load(where), list(folder.places(where)) if names is None else names
    not_passed = [name for name in names if not results[name].passed]
    return next(iter(not_passed + [name for name in names if not results[name].holds]), None)


def show_hint(where, exercise):
    """Print the hints so far and one more."""
    hints = exercise.hints()
    result = progress.load(where)[exercise.name]
    count = min(result.hints + 1, len(hints))
    for number, text in enumerate(hints[:count], start=1):
        click.echo(f"{exercise.name}, hint {number} of {len(hints)}\n\n{text}\n")
    if result.hints >= len(hints):
        give_up = "" if result.passed else " --give-up"
        command = f"polymask workshop solution {exercise.name}{give_up}"
        click.echo(f"that was the last hint; `{command}` shows the solution")
    progress.note(where, exercise.name, hints=count)  # last: the disk may be full


def may_see(where, exercise, command, give_up=False):
    """Return whether `command` may show the solution or the answers; print what to do if not."""
    if give_up or progress.load(where)[exercise.name].passed:
        return True
    click.echo(
        f"{exercise.name} has not passed yet: run `polymask workshop hint {exercise.name}`, or "
        f"give up with `polymask workshop {command} {exercise.name} --give-up`",
        err=True,
    )
    return False


def show_solution(where, exercise):
    """Print the differences between the student's files and the solution, with explanations."""
    for name in exercise.files:
        mine = where / exercise.directory / name
        text = mine.read_text(encoding="utf-8", errors="replace") if mine.exists() else ""
        for line in explained_diff(exercise, name, text):
            click.echo(line)


def explained_diff(exercise, name, mine):
    """Yield the lines of a diff from a text to the solution, each region followed by its `why`."""
    solution, regions = exercise.solution(name), exercise.regions.get(name, ())
    spans = zip(regions, exercises.spans(solution, regions), strict=True)
    explained = {
        last: (first, " ".join(region.why.split())) for region, (first, last) in spans if region.why
    }
    number = None  # of the next line of the solution
    labels = f"yours: {name}", f"solution: {exercise.files[name]}"
    for line in difflib.unified_diff(
        mine.splitlines(), solution.splitlines(), *labels, lineterm=""
    ):
        yield line
        if hunk := HUNK.match(line):
            number = int(hunk[1]) - 1
        elif number is not None and line[0] != "-":
            if number in explained:
                yield folded(f"why: {explained.pop(number)[1]}")
            number += 1
    if number is None:
        yield f"{name}: no difference"
    for last, (first, why) in explained.items():
        lines = f"line {first + 1}" if first == last else f"lines {first + 1} to {last + 1}"
        yield folded(f"{lines} of {exercise.files[name]}: {why}")


def show_questions(exercise):
    """Print the questions of a task, and the commands for the answers and the solution."""
    if questions := exercise.questions():
        click.echo("to think about:")
        for question in questions:
            click.echo(folded(f"- {question}", indent="  "))
    click.echo(f"for the answers: polymask workshop answers {exercise.name}")
    click.echo(f"for the solution, explained: polymask workshop solution {exercise.name}")


def show_answers(exercise):
    """Print the questions of a task, each with its answer."""
    for question, answer in zip(exercise.questions(), exercise.answers(), strict=True):
        click.echo(folded(f"- {question}", indent="  "))
        click.echo(f"\n{answer}\n")


def restore(where, exercise):
    """Restore the starter of an exercise, and print the names of copies."""
    for copy in folder.reset(where, exercise):
        click.echo(f"kept your file as {in_a_line(str(copy))}")
    click.echo(f"{in_a_line(str(where / exercise.directory))}: the starter is restored")
