"""The check of an exercise: the prompt for a prediction, and the outcome, printed and recorded."""

import sys
import time

import click

from polymask.bench import machine
from polymask.cli.terminal import folded
from polymask.report import figures
from polymask.workshop.student import check as checking
from polymask.workshop.student import folder, prediction, progress

SUSPICIOUS = 3.0  # times the solution's speed


def run_check(exercise, where, predict=None, force=False):
    """Check an exercise, print and record the outcome; return whether it passed."""
    directory = where / exercise.directory
    folder.refuse_file(directory)
    if not directory.is_dir():
        raise ValueError(
            f"{exercise.name} is not in {where}: `polymask workshop start {where}` adds it"
        )
    click.echo(f"{exercise.name}: testing {tested_files(exercise, directory)}")
    line, expected = progress.load(where)[exercise.name], None
    judged_before = progress.results(where).get(exercise.name, {}).get("judged_answer")
    answer = progress.digest([directory / name for name in exercise.files])
    stated = None if exercise.speed is None else read_prediction(exercise, directory, predict, line)
    begun, waited = time.perf_counter(), 0.0

    def before_speed():
        """Record the student's prediction before the speed is known."""
        nonlocal expected, waited
        since = time.perf_counter()
        if line.measured:
            if stated is not None and stated != line.prediction:
                click.echo(too_late(stated, line.prediction))
        else:
            expected = ask_prediction(exercise) if stated is None and sys.stdin.isatty() else stated
            if expected is not None:
                factor = f"{prediction.written(expected)} times as fast"
                click.echo(folded(f"your prediction: {factor} {prediction.terms(exercise)}"))
        waited += time.perf_counter() - since

    outcome = checking.check(
        exercise, where, before_speed=before_speed, say=click.echo, force=force
    )
    seconds = time.perf_counter() - begun - waited
    if outcome.unchecked:
        click.echo(f"{click.style('NOT CHECKED', fg='red')} {outcome.message}")
        return False
    if outcome.speed and not line.measured:  # from here on, the student knows the speed
        fixed = progress.NONE if expected is None else expected
        line = progress.note(where, exercise.name, predicted=fixed)
    if outcome.note:
        click.echo(outcome.note)
    if outcome.speed:
        show_speed(outcome.speed, exercise, line.prediction)
    progress_fields = reached(line, outcome, again=judged_before == answer)
    line = progress.note(where, exercise.name, **progress_fields, checks=line.checks + 1)
    hashes = {"answer": answer, "judged_answer": answer if judged(outcome) else judged_before}
    note_for_class(where, exercise, outcome, line, seconds, hashes)
    if outcome.passed:
        show_passed(exercise, where, outcome, seconds)
    else:
        show_failure(exercise, outcome)
        if line.state == progress.BROKEN:
            click.echo("it passed before: `list` and results.json call it broken until it passes")
    return outcome.passed


def read_prediction(exercise, directory, predict, line):
    """Return the prediction from the option or from a line in a file, or None.

    If the line is not a number and there is no terminal for a prompt, stop before the measurement.
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
        if not sys.stdin.isatty():
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


def show_speed(speed, exercise, predicted):
    """Print the times and ratios of a run, and the prediction."""
    click.echo(f"its speed, all in one run, {speed['measured']}:")
    names = {
        "yours": "yours",
        "before": exercise.speed.before or "before",
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
    """Print the success, or the reason why the speed is not judged, and the next exercise."""
    if outcome.untimed:
        right = click.style("RIGHT", fg="yellow")
        click.echo(
            f"{right} {exercise.name} ({seconds:.0f} s); speed not judged: {outcome.untimed}"
        )
        if outcome.speed:
            click.echo(f"on a quiet machine, run polymask workshop check {exercise.name}")
    else:
        click.echo(f"{click.style('PASSED', fg='green')} {exercise.name} ({seconds:.0f} s)")
    click.echo("read the end of task.md, with questions to think about")
    places = folder.places(where)
    names = list(places)
    at = names.index(exercise.name) + 1
    following = next_open(where, names[at:] + names[:at])
    if following:
        click.echo(f"next: {places[following] / 'task.md'}")
    else:
        click.echo("that was the last open exercise")


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


def next_open(where, names):
    """Return the first exercise that has not passed, else the first broken one, or None."""
    lines = progress.load(where)
    not_passed = [name for name in names if not lines[name].passed]
    return next(iter(not_passed + [name for name in names if not lines[name].holds]), None)
