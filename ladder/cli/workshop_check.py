"""The check of an exercise: the prompt for a prediction, and the record of the outcome."""

import sys
import time

import click

from ladder.bench import machine
from ladder.cli import workshop_outcome
from ladder.workshop.student import check as checking
from ladder.workshop.student import folder, prediction, progress
from polymask.cli.terminal import folded


def run_check(exercise, where, predict=None, force=False, as_json=False):
    """Check an exercise, print and record the outcome; return whether it passed.

    With `as_json`, the only output is the outcome as JSON, and nothing is prompted for.
    """
    directory, say = where / exercise.directory, print_nothing if as_json else click.echo
    folder.refuse_file(directory)
    if not directory.is_dir():
        raise ValueError(
            f"{exercise.name} is not in {where}: `polymask workshop start {where}` adds it"
        )
    say(f"{exercise.name}: testing {tested_files(exercise, directory)}")
    line, expected = progress.load(where)[exercise.name], None
    judged_before = progress.results(where).get(exercise.name, {}).get("judged_answer")
    answer = progress.digest([directory / name for name in exercise.files])
    prompts = not as_json and sys.stdin.isatty()
    stated = None
    if exercise.speed is not None:
        stated = read_prediction(exercise, directory, predict, line, prompts)
    begun, waited = time.perf_counter(), 0.0

    def before_speed():
        """Record the student's prediction before the speed is known."""
        nonlocal expected, waited
        since = time.perf_counter()
        if line.measured:
            if stated is not None and stated != line.prediction:
                say(too_late(stated, line.prediction))
        else:
            expected = ask_prediction(exercise) if stated is None and prompts else stated
            if expected is not None:
                factor = f"{prediction.written(expected)} times as fast"
                say(folded(f"your prediction: {factor} {prediction.terms(exercise)}"))
            elif not prompts:
                say("no prediction: next time, write one into the file, or add --predict")
        waited += time.perf_counter() - since

    outcome = checking.check(exercise, where, before_speed=before_speed, force=force)
    seconds = time.perf_counter() - begun - waited
    if outcome.unchecked:
        say(f"{click.style('NOT CHECKED', fg='red')} {outcome.message}")
    else:
        if outcome.speed and not line.measured:  # from here on, the student knows the speed
            fixed = progress.NONE if expected is None else expected
            line = progress.note(where, exercise.name, predicted=fixed)
        line = record(exercise, where, outcome, line, seconds, answer, judged_before)
    if as_json:
        workshop_outcome.show_json(exercise, where, outcome, line, seconds)
    elif not outcome.unchecked:
        workshop_outcome.show(exercise, where, outcome, line, seconds)
    return outcome.passed


def print_nothing(text):
    """Discard a line for the student."""


def record(exercise, where, outcome, line, seconds, answer, judged_before):
    """Record an outcome in progress.txt and results.json; return the exercise's line.

    `answer` and `judged_before` are hashes, of this answer and of the last one that was judged.
    """
    fields = reached(line, outcome, again=judged_before == answer)
    line = progress.note(where, exercise.name, **fields, checks=line.checks + 1)
    hashes = {"answer": answer, "judged_answer": answer if judged(outcome) else judged_before}
    note_for_class(where, exercise, outcome, line, seconds, hashes)
    return line


def read_prediction(exercise, directory, predict, line, prompts):
    """Return the prediction from the option or from a line in a file, or None.

    If the line is not a number and there will be no prompt, stop before the measurement.
    """
    if predict is not None:
        return predict
    text = prediction.in_files(exercise, directory)
    try:
        return None if text is None else prediction.read(text)
    except ValueError as error:
        message = f"the line `prediction: {text}` in {directory}: {error}"
        if line.measured:
            return None
        if not prompts:
            raise ValueError(message) from None
        click.echo(message)
        return None


def judged(outcome):
    """Return whether an answer was right, and its speed, if it counts, could be judged."""
    return outcome.correct and not outcome.untimed


def reached(line, outcome, again=False):
    """Return the state and the best speed-up of an exercise after a check.

    A speed that could not be judged does not count. A judged speed decides on an answer that was
    only right before. If the same answer is judged again, its first speed counts; otherwise a
    student could repeat the check until a lucky run.
    """
    state, best = line.state, line.best
    if outcome.passed and judged(outcome):
        state = progress.PASSED
    elif outcome.passed:
        state = state if line.holds else progress.RIGHT
    elif judged(outcome) and state == progress.RIGHT:  # and too slow
        state = progress.OPEN
    elif line.passed:
        state = progress.BROKEN
    measured = outcome.speed["times_before"] if judged(outcome) and outcome.speed else None
    if measured is not None and not (again and best is not None):
        best = max(best or 0.0, measured)
    return {"state": state, "best": best}


def too_late(now, first):
    """Explain that a prediction does not replace the first one."""
    now = prediction.written(now)
    if first is None:
        return f"{now} is not recorded as your prediction: a speed was measured before"
    return f"your prediction stays {prediction.written(first)}, not {now}: the first one counts"


def ask_prediction(exercise):
    """Prompt for the expected speed-up; return None if the student enters nothing."""
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


def tested_files(exercise, directory):
    """Return the path of the student's file, or the names of several."""
    files = [name for name in exercise.files if exercise.regions.get(name)]
    return directory / files[0] if len(files) == 1 else f"{', '.join(files)} in {directory}"


def note_for_class(where, exercise, outcome, line, seconds, hashes):
    """Record the check in results.json, which `collect` reads."""
    speed = outcome.speed or {}
    result = {
        "passed": line.holds,
        "broken": line.state == progress.BROKEN,
        "judged": line.state != progress.RIGHT,
        "times_before": line.best,
        "shown": speed.get("times_before") or progress.last_speedups(where).get(exercise.name),
        "of_solution": speed.get("of_solution"),
        "before": exercise.speed.before if exercise.speed else None,
        "predicted": line.prediction,
        "hints": line.hints,
        "checks": line.checks,
        "check_s": round(seconds, 1),
        **hashes,
    }
    record = machine.record()
    keys = ("date", "cpu", "cores", "affinity", "kernel", "python", "numpy", "polymask", "compiler")
    facts = {name: getattr(record, name) for name in keys}
    progress.note_result(where, exercise.name, result, facts)
