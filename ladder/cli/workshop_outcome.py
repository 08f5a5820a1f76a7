"""The outcome of a check, printed for a student, or as JSON for an editor."""

import json

import click
import numpy as np

from ladder.cli import workshop_texts
from ladder.workshop import concepts
from ladder.workshop.student import error_places, folder, prediction, progress
from polymask.common import figures

SUSPICIOUS = 3.0  # times the solution's speed
NOT_WRITTEN = "not written yet"  # in the message about a part of the starter
MOST_PIXELS = 100  # wrong pixels in JSON


def show(exercise, where, outcome, line, seconds):
    """Print an outcome; `line` is the exercise's `progress.Line` after the check."""
    if outcome.note:
        click.echo(outcome.note)
    if outcome.speed:
        show_speed(outcome.speed, exercise, line.prediction)
    if outcome.passed:
        show_passed(exercise, where, outcome, seconds)
        return
    show_failure(exercise, outcome)
    if line.state == progress.BROKEN:
        click.echo("an earlier answer was right: `list` shows `broken` until a check passes again")


def show_speed(speed, exercise, predicted):
    """Print the times and ratios of a run, and the prediction."""
    click.echo(f"its speed, all in one run, {speed['measured']}:")
    names = {
        "yours": "yours",
        "before": exercise.speed.baseline,
        "solution": "the solution",
    }
    for name, seconds in speed["seconds"].items():
        beside = ""
        if name == "before":
            ends = figures.of_ratio(speed["between"]["times_before"])
            beside = f"   yours is {figures.digits(speed['times_before'])} times as fast ({ends})"
            if predicted is not None:
                beside += f", you predicted {prediction.written(predicted)}"
        elif name == "solution":
            low, high = (f"{end:.0%}" for end in speed["between"]["of_solution"])
            beside = f"   yours has {speed['of_solution']:.0%} of its speed ({low}–{high})"
        click.echo(f"  {names[name]:<18} {figures.seconds(seconds):>8}{beside}")
    if (speed["of_solution"] or 0) > SUSPICIOUS:
        click.echo("  yours is much faster than the solution: is it your own work?")
    if speed["tries"] > 1:
        click.echo("  measured twice, as the first try was not clearly fast enough")


def show_passed(exercise, where, outcome, seconds):
    """Print the success, or why the speed is not judged; then questions, and the next exercise."""
    if outcome.untimed:
        right = click.style("RIGHT", fg="yellow")
        click.echo(
            f"{right} {exercise.name} ({seconds:.0f} s); speed not judged: {outcome.untimed}"
        )
        if outcome.speed:
            command = f"polymask workshop check {exercise.name}"
            click.echo(f"on a quiet machine, run {command}; --force judges now {concepts.QUIET}")
    else:
        click.echo(f"{click.style('PASSED', fg='green')} {exercise.name} ({seconds:.0f} s)")
    workshop_texts.show_questions(exercise)
    following = workshop_texts.next_after(where, exercise.name)
    if following:
        click.echo(f"next: {folder.places(where)[following] / 'task.md'}")
    else:
        click.echo("that was the last open exercise")
        workshop_texts.show_right(where)


def show_failure(exercise, outcome):
    """Print what is wrong, where, and the command for a hint."""
    click.echo(f"{click.style('NOT YET', fg='red')} {outcome.message}")
    if outcome.picture:
        click.echo(outcome.picture)
    if outcome.png:
        click.echo(f"    enlarged: {outcome.png}")
    if outcome.printed and not outcome.speed and exercise.build != "kernel":
        click.echo("your code printed these last lines:")
        click.echo("\n".join(f"    {line}" for line in outcome.printed.splitlines()[-10:]))
    click.echo(f"for a hint: polymask workshop hint {exercise.name}")


def show_json(exercise, where, outcome, line, seconds):
    """Print an outcome as one JSON object; WORKSHOP.md describes its keys."""
    directory = where / exercise.directory
    file = next(name for name in exercise.files if exercise.regions.get(name))
    contents = {
        "exercise": exercise.name,
        "file": str((directory / file).resolve()),
        "verdict": verdict(exercise, directory, outcome),
        "message": outcome.message or outcome.untimed,
        "note": outcome.note,
        "places": error_places.of(outcome.message, exercise, directory),
        "pixels": wrong_pixels(outcome.wrong) if outcome.wrong else None,
        "speed": outcome.speed,
        "prediction": line.prediction,
        "seconds": round(seconds, 1),
    }
    click.echo(json.dumps(contents, indent=1))


def verdict(exercise, directory, outcome):
    """Return passed, right (its speed is not judged), not written, failed, or not checked."""
    if outcome.unchecked:
        return "not checked"
    if outcome.passed:
        return "right" if outcome.untimed else "passed"
    texts = {name: exercise.starter(name) for name in exercise.files}
    files = [directory / name for name in texts]
    is_starter = all(file.is_file() for file in files) and all(
        file.read_text(encoding="utf-8", errors="replace") == texts[file.name] for file in files
    )
    return "not written" if is_starter or NOT_WRITTEN in outcome.message else "failed"


def wrong_pixels(wrong):
    """Return the shape, the polygon, and the first wrong pixels of a mask, as plain values."""
    different = np.argwhere(wrong.got != wrong.expected)
    return {
        "shape": list(wrong.expected.shape),
        "vertices": wrong.vertices,
        "count": len(different),
        "first": [
            {
                "row": int(row),
                "column": int(column),
                "expected": int(wrong.expected[row, column]),
                "got": wrong.got[row, column].item(),
            }
            for row, column in different[:MOST_PIXELS]
        ],
    }
