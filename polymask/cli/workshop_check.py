"""One check as the student sees it: prediction asked for, what was found said and noted."""

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
    """Check an exercise, say and note what was found; return whether it passed."""
    there = where / exercise.directory
    folder.refuse_file(there)
    if not there.is_dir():
        raise ValueError(
            f"{exercise.name} is not in {where}: `polymask workshop start {where}` adds it"
        )
    click.echo(f"{exercise.name}: testing {what_is_tested(exercise, there)}")
    line, expected = progress.load(where)[exercise.name], None
    known = progress.results(where).get(exercise.name, {}).get("judged_answer")
    answer = progress.digest([there / name for name in exercise.files])
    said = None if exercise.speed is None else told(exercise, there, predict, line)
    begun, waited = time.perf_counter(), 0.0

    def before_speed():
        """Fix what the student expects, before it is known."""
        nonlocal expected, waited
        since = time.perf_counter()
        if line.measured:
            if said is not None and said != line.prediction:
                click.echo(too_late(said, line.prediction))
        else:
            expected = ask_prediction(exercise) if said is None and sys.stdin.isatty() else said
            if expected is not None:
                told_back = f"{prediction.written(expected)} times as fast"
                click.echo(folded(f"your prediction: {told_back} {prediction.terms(exercise)}"))
        waited += time.perf_counter() - since

    outcome = checking.check(
        exercise, where, before_speed=before_speed, say=click.echo, force=force
    )
    seconds = time.perf_counter() - begun - waited
    if outcome.unchecked:
        click.echo(f"{click.style('NOT CHECKED', fg='red')} {outcome.message}")
        return False
    if outcome.speed and not line.measured:  # from here on it is known
        fixed = progress.NONE if expected is None else expected
        line = progress.note(where, exercise.name, predicted=fixed)
    if outcome.note:
        click.echo(outcome.note)
    if outcome.speed:
        show_speed(outcome.speed, exercise, line.prediction)
    found = reached(line, outcome, again=known == answer)
    line = progress.note(where, exercise.name, **found, checks=line.checks + 1)
    hashes = {"answer": answer, "judged_answer": answer if judged(outcome) else known}
    note_for_class(where, exercise, outcome, line, seconds, hashes)
    if outcome.passed:
        show_passed(exercise, where, outcome, seconds)
    else:
        show_failure(exercise, outcome)
        if line.state == progress.BROKEN:
            click.echo("it had passed: `list` and results.json call it broken until it does again")
    return outcome.passed


def told(exercise, there, predict, line):
    """Return the prediction that was given or stands in a file, None if there is none.

    What is no number stops a check where nobody can be asked for another, before it measures.
    """
    if predict is not None:
        return predict
    said = prediction.in_files(exercise, there)
    try:
        return None if said is None else prediction.read(said)
    except ValueError as error:
        told = f"the line `prediction: {said}` in {there}: {error}"
        if line.measured:
            return None
        if not sys.stdin.isatty():
            raise ValueError(told) from None
        click.echo(told)
        return None


def judged(outcome):
    """Whether an answer was right, and its speed could be judged, if it has to be fast."""
    return outcome.correct and not outcome.untimed


def reached(line, outcome, again=False):
    """Return the state and the best speed-up that an exercise's line has after a check.

    A speed that could not be judged counts for nothing; one that was judged decides of an answer
    that was only right before. Of an answer that is judged again the first speed counts: else the
    luckiest of many would.
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
    """Say that a prediction does not replace the first one."""
    now = prediction.written(now)
    if first is None:
        return f"{now} is not noted as your prediction: a speed was measured before"
    return f"your prediction stays {prediction.written(first)}, not {now}: the first one counts"


def ask_prediction(exercise):
    """Ask for the speed-up that the student expects; None if there is no answer."""
    click.echo("right; now its speed. Predicting is half the lesson:")
    click.echo(folded(f"how many times as fast will it be {prediction.terms(exercise)}?"))
    while True:
        said = click.prompt("prediction (Enter for none)", default="", show_default=False)
        if not said.strip():
            return None
        try:
            return prediction.read(said)
        except ValueError as error:
            click.echo(f"{said!r}: {error}")


def what_is_tested(exercise, there):
    """Return the path of the file that the student writes, or the names of several."""
    files = [name for name in exercise.files if exercise.regions.get(name)]
    return there / files[0] if len(files) == 1 else f"{', '.join(files)} in {there}"


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
                beside += f", you predicted {prediction.written(predicted)}"
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
    places = folder.places(where)
    names = list(places)
    at = names.index(exercise.name) + 1
    following = next_open(where, names[at:] + names[:at])
    if following:
        click.echo(f"next: {places[following] / 'task.md'}")
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


def note_for_class(where, exercise, outcome, line, seconds, hashes):
    """Note the check in results.json, which `collect` reads."""
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
    kept = ("date", "cpu", "cores", "affinity", "kernel", "python", "numpy", "polymask", "compiler")
    told = {name: getattr(record, name) for name in kept}
    progress.note_result(where, exercise.name, result, told)


def next_open(where, names):
    """Return the first exercise that is not passed, else the first that is broken, or None."""
    lines = progress.load(where)
    waiting = [name for name in names if not lines[name].passed]
    return next(iter(waiting + [name for name in names if not lines[name].holds]), None)
