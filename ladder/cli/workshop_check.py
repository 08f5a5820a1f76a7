"""The check of an exercise: the prompt for a prediction, and the record of the outcome."""

import sys
import time

import click

from ladder.cli import workshop_outcome
from ladder.cli.bench_quiet import look_first
from ladder.workshop import exercises
from ladder.workshop.student import check as checking
from ladder.workshop.student import folder, prediction, progress
from polymask.cli.terminal import folded
from polymask.common.error_text import in_a_line


def run_check(exercise, where, force=False):
    """Check an exercise, print and record the outcome; return whether it passed."""
    directory = where / exercise.directory
    if not directory.is_dir():
        raise ValueError(f"{exercise.name} is not in {where}: `polymask workshop start` adds it")
    click.echo(f"{exercise.name}: testing {in_a_line(folder.edited(where, exercise))}")
    result = progress.load(where)[exercise.name]
    is_open = exercise.speed and result.speed_up is None  # the student does not know the speed
    stated, complaint = read_prediction(exercise, directory) if is_open else (None, "")
    predicted = stated

    def before_speed():
        """Take the student's prediction before the speed is known."""
        nonlocal predicted
        if complaint:
            raise ValueError(f"the answer is right, but {complaint}")
        if is_open and stated is None:
            predicted = ask_prediction(exercise)

    outcome = checking.check(exercise, where, before_speed=before_speed, force=force)
    if outcome.unchecked:
        click.echo(f"{click.style('NOT CHECKED', fg='red')} {outcome.message}")
        return False
    changes = reached(result, outcome)
    if is_open and (outcome.speed or predicted):
        changes |= {"predicted": predicted, "predicted_at": predicted and int(time.time())}
    result = progress.note(where, exercise.name, **changes)
    workshop_outcome.show(exercise, where, outcome, result)
    if complaint:
        click.echo(complaint)
    return outcome.passed


def check_pending(where, force=False):
    """Check all right answers whose speed is not judged, once the machine is quiet."""
    results = progress.load(where)
    names = [name for name in folder.places(where) if results[name].state == progress.RIGHT]
    if not names:
        click.echo("no right answer waits for a measurement")
        return True
    if not force and look_first(force, "Try again later, or add --force.").busy:
        return False
    return all([run_check(exercises.get(name), where, force) for name in names])


def read_prediction(exercise, directory):
    """Return the prediction from a line in a file, or None, and why it cannot be read."""
    text = prediction.in_files(exercise, directory)
    try:
        return None if text is None else prediction.read(text), ""
    except ValueError as error:
        return None, f"the prediction was not read: `prediction: {text}`: {error}"


def reached(result, outcome):
    """Return the changes of an exercise's result after a check.

    A judged speed decides on an answer that was only right before. Of the speeds that were judged,
    the first and the best are kept.
    """
    judged, state, best = outcome.correct and not outcome.untimed, result.state, result.speed_up
    kept = best and (result.first or state == progress.PASSED)
    if outcome.passed and judged:
        state = progress.PASSED
    elif outcome.passed:
        state = state if result.holds else progress.RIGHT
    elif judged and state == progress.RIGHT and not kept:  # and too slow
        state = progress.OPEN
    elif result.passed:
        state = progress.BROKEN
    changes = {"state": state, "checks": result.checks + 1}
    if outcome.speed and (judged or not kept):
        measured = outcome.speed["times_before"]
        changes["speed_up"] = max(best, measured) if kept else measured
        if outcome.passed and judged:
            changes["first"] = result.first or measured
    return changes


def ask_prediction(exercise):
    """Prompt for the expected speed-up; return None without one, or without a terminal."""
    if not sys.stdin.isatty():
        click.echo("no prediction: next time, write one into the file")
        return None
    click.echo("your answer is right; now predict its speed:")
    click.echo(folded(f"how many times as fast will it be {prediction.terms(exercise)}?"))
    while True:
        text = click.prompt("prediction (Enter for none)", default="", show_default=False)
        if not text.strip():
            return None
        try:
            return prediction.read(text)
        except ValueError as error:
            click.echo(f"{text!r}: {error}")
