"""One check as the student sees it: prediction asked for, what was found said and noted."""

import re
import sys
import time

import click

from polymask.bench import machine
from polymask.report import figures
from polymask.workshop import exercises
from polymask.workshop.student import check as checking
from polymask.workshop.student import progress

PREDICTION = re.compile(r"prediction:\s*(?:x\s*)?(\d+(?:\.\d+)?)", re.I)
SUSPICIOUS = 3.0  # times the solution's speed


def run_check(exercise, where, predict=None, force=False):
    """Check an exercise, say and note what was found; return whether it passed."""
    there = where / exercise.directory
    if not there.is_dir():
        raise click.UsageError(
            f"{exercise.name} is not in {where}: `polymask workshop start {where}` adds it"
        )
    click.echo(f"{exercise.name}: testing {what_is_tested(exercise, there)}")
    begun, waited = time.perf_counter(), 0.0

    def prediction():
        """Note what the student expects, before it is known; the first time counts."""
        nonlocal waited
        since = time.perf_counter()
        line = progress.load(where)[exercise.name]
        now = predict if predict is not None else predicted_in(exercise, there)
        if line.predicted is None and line.best is None:
            if now is None and sys.stdin.isatty():
                now = ask_prediction(exercise)
            progress.note(where, exercise.name, predicted=now)
        elif now is not None and now != line.prediction:
            click.echo(too_late(now, line.prediction))
        waited += time.perf_counter() - since

    outcome = checking.check(exercise, where, before_speed=prediction, say=click.echo, force=force)
    seconds = time.perf_counter() - begun - waited
    if outcome.unchecked:
        click.echo(f"{click.style('NOT CHECKED', fg='red')} {outcome.message}")
        return False
    line = progress.load(where)[exercise.name]
    if outcome.note:
        click.echo(outcome.note)
    if outcome.speed:
        show_speed(outcome.speed, exercise, line.prediction)
        if line.predicted is None:  # too late now
            progress.note(where, exercise.name, predicted=progress.NONE)
    line = progress.note(where, exercise.name, **reached(line, outcome), checks=line.checks + 1)
    note_for_class(where, exercise, outcome, line, seconds)
    if outcome.passed:
        show_passed(exercise, where, outcome, seconds)
    else:
        show_failure(exercise, outcome)
    return outcome.passed


def reached(line, outcome):
    """Return the state and the best speed-up that an exercise's line has after a check.

    A speed that could not be judged counts for nothing; one that was judged decides of an answer
    that was only right before.
    """
    state, best = line.state, line.best
    judged = outcome.correct and not outcome.untimed
    if outcome.passed and (judged or state == progress.OPEN):
        state = progress.PASSED if judged else progress.RIGHT
    elif judged and state == progress.RIGHT:  # and too slow
        state = progress.OPEN
    if judged and outcome.speed and outcome.speed["times_before"] is not None:
        best = max(best or 0.0, outcome.speed["times_before"])
    return {"state": state, "best": best}


def too_late(now, first):
    """Say that a prediction does not replace the first one."""
    if first is None:
        return f"{now:g} is not noted as your prediction: a speed was measured before"
    return f"your prediction stays {first:g}, not {now:g}: the first one counts"


def ask_prediction(exercise):
    """Ask for the speed-up that the student expects; None if there is no answer."""
    before = exercise.speed.before or "the way before"
    click.echo("right; now its speed. Predicting is half the lesson:")
    click.echo(f"how many times as fast as {before} will it be?")
    while True:
        said = click.prompt("prediction (Enter for none)", default="", show_default=False)
        try:
            return float(said.lower().strip("x ")) if said.strip() else None
        except ValueError:
            click.echo(f"a number, please, like 10; got {said!r}")


def what_is_tested(exercise, there):
    """Return the path of the file that the student writes, or the names of several."""
    files = [name for name in exercise.files if exercise.regions.get(name)]
    return there / files[0] if len(files) == 1 else f"{', '.join(files)} in {there}"


def predicted_in(exercise, there):
    """Return the number after `prediction:` in a file of the student's, or None."""
    for name in exercise.files:
        text = (there / name).read_text(encoding="utf-8", errors="replace")
        if found := PREDICTION.search(text):
            return float(found[1])
    return None


def show_speed(speed, exercise, predicted):
    """Print the times and ratios of one run, and the prediction beside them."""
    click.echo(f"its speed, all in one run, {speed['measured']}:")
    names = {
        "yours": "yours",
        "before": exercise.speed.before or "before",
        "solution": "the solution",
    }
    for name, taken in speed["seconds"].items():
        beside = ""
        if name == "before":
            ends = figures.of_ratio(speed["between"]["times_before"])
            beside = f"   yours is {figures.digits(speed['times_before'])} times as fast ({ends})"
            if predicted is not None:
                beside += f", you predicted {predicted:g}"
        elif name == "solution":
            low, high = (f"{end:.0%}" for end in speed["between"]["of_solution"])
            beside = f"   yours has {speed['of_solution']:.0%} of its speed ({low}–{high})"
        click.echo(f"  {names[name]:<18} {figures.seconds(taken):>8}{beside}")
    if (speed["of_solution"] or 0) > SUSPICIOUS:
        click.echo("  so much faster than the solution: is it your own work?")
    if speed["tries"] > 1:
        click.echo("  measured twice, as the first try was not clearly fast enough")


def show_passed(exercise, where, outcome, seconds):
    """Print that it passed, or that it is right and why its speed is not judged, and what next."""
    if outcome.untimed:
        right = click.style("RIGHT", fg="yellow")
        click.echo(
            f"{right} {exercise.name} ({seconds:.0f} s); speed not judged: {outcome.untimed}"
        )
        if outcome.speed:
            click.echo(f"when the machine is quiet: polymask workshop check {exercise.name}")
    else:
        click.echo(f"{click.style('PASSED', fg='green')} {exercise.name} ({seconds:.0f} s)")
    click.echo("read the end of task.md: what to think about afterwards")
    there = here(where)
    at = next((i for i, e in enumerate(there) if e.name == exercise.name), -1) + 1
    following = next_open(where, there[at:] + there[:at])
    if following:
        click.echo(f"next: {where / following.directory / 'task.md'}")
    else:
        click.echo("that was the last open exercise")


def show_failure(exercise, outcome):
    """Print what is wrong, where, and what helps."""
    click.echo(f"{click.style('NOT YET', fg='red')} {outcome.message}")
    if outcome.picture:
        click.echo(outcome.picture)
    if outcome.png:
        click.echo(f"    larger: {outcome.png}")
    if outcome.printed and not outcome.speed and exercise.build != "kernel":
        click.echo("your code printed, at the end:")
        click.echo("\n".join(f"    {line}" for line in outcome.printed.splitlines()[-10:]))
    click.echo(f"a hint: polymask workshop hint {exercise.name}")


def note_for_class(where, exercise, outcome, line, seconds):
    """Note the check in results.json, which `collect` reads."""
    speed = outcome.speed or {}
    result = {
        "passed": line.passed,
        "judged": line.state != progress.RIGHT,
        "times_before": line.best,
        "of_solution": speed.get("of_solution"),
        "before": exercise.speed.before if exercise.speed else None,
        "predicted": line.prediction,
        "hints": line.hints,
        "checks": line.checks,
        "check_s": round(seconds, 1),
    }
    record = machine.record()
    kept = ("date", "cpu", "cores", "affinity", "kernel", "python", "numpy", "polymask", "compiler")
    told = {name: getattr(record, name) for name in kept}
    progress.note_result(where, exercise.name, result, told)


def here(where):
    """Return the exercises that have a folder in the workshop."""
    return [e for e in exercises.every() if (where / e.directory).is_dir()]


def next_open(where, among):
    """Return the first exercise that is not passed, or None."""
    lines = progress.load(where)
    return next((e for e in among if not lines[e.name].passed), None)
