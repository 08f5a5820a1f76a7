"""What a student reads about an exercise: its task, its hints, and its solution with answers."""

import difflib
import os

import click

from ladder.workshop import exercises
from ladder.workshop.student import folder, progress
from polymask.cli.terminal import folded
from polymask.common.error_text import in_a_line


def show_task(where, exercise):
    """Print the folder, the title, the size and the first two sections of a task."""
    click.echo(f"{exercise.directory} ({exercise.size}): {exercise.title}\n")
    sections = "\n## ".join(exercise.task().split("\n## ")[:3])
    click.echo("Lesson: " + sections.partition("\nLesson: ")[2].strip())
    task = os.path.relpath(where / exercise.directory / "task.md")
    click.echo(f"\nthe task: {in_a_line(task)}")
    click.echo(f"edit {in_a_line(folder.edited(where, exercise))}")


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
    text, regions = exercise.solution(name), exercise.regions.get(name, ())
    spans, lines = exercises.spans(text, regions), text.splitlines()
    for region, (_, last) in reversed([*zip(regions, spans, strict=True)]):
        lines.insert(last + 1, f"why: {' '.join(region.why.split())}")
    labels = f"yours: {name}", f"solution: {exercise.files[name]}"
    for line in difflib.unified_diff(mine.splitlines(), lines, *labels, lineterm=""):
        yield folded(line[1:]) if line.startswith("+why: ") else line
