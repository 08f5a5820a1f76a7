"""What a student reads about an exercise: its task, its hints, and its solution with answers."""

import difflib
import os
import re

import click

from ladder.workshop import exercises
from ladder.workshop.student import progress
from polymask.cli.terminal import folded
from polymask.common import figures
from polymask.common.error_text import in_a_line

HUNK = re.compile(r"@@ -\S+ \+(\d+)")  # the first line of the solution in a part of a diff


def show_task(where, exercise):
    """Print the folder, the title, the size and the first two sections of a task."""
    place = os.path.relpath(where / exercise.directory)
    click.echo(f"{exercise.directory} ({exercise.size}): {exercise.title}\n")
    sections = "\n## ".join(exercise.task().split("\n## ")[:3])
    click.echo("Lesson: " + sections.partition("\nLesson: ")[2].strip())
    files = [os.path.join(place, name) for name in exercise.files if exercise.regions.get(name)]
    click.echo(f"\nthe task: {in_a_line(os.path.join(place, 'task.md'))}")
    click.echo(f"edit {in_a_line(figures.listed(files))}")


def show_hint(where, exercise, every=False):
    """Print the next hint, or with `every` those so far."""
    hints, result = exercise.hints(), progress.load(where)[exercise.name]
    count = result.hints if every else min(result.hints + 1, len(hints))
    for number in range(1 if every else count, count + 1):
        click.echo(f"{exercise.name}, hint {number} of {len(hints)}\n\n{hints[number - 1]}\n")
    if result.hints >= len(hints):
        give_up = "" if result.passed else " --give-up"
        command = f"polymask workshop solution {exercise.name}{give_up}"
        click.echo(f"that was the last hint; `{command}` shows the solution")
    elif count > 1 and not every:
        click.echo(f"earlier hints: polymask workshop hint {exercise.name} --all")
    progress.note(where, exercise.name, hints=count)  # last: the disk may be full


def show_solution(where, exercise):
    """Print the explained differences to the solution, and the questions with their answers."""
    for name in exercise.files:
        mine = where / exercise.directory / name
        text = mine.read_text(encoding="utf-8", errors="replace") if mine.exists() else ""
        for line in explained_diff(exercise, name, text):
            click.echo(line)
    for question, answer in zip(exercise.questions(), exercise.answers(), strict=True):
        click.echo(f"\n{folded(f'- {question}', indent='  ')}\n\n{answer}")


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
