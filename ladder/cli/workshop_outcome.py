"""The outcome of a check, printed for a student."""

import click

from ladder.cli import workshop_texts
from ladder.workshop import concepts
from ladder.workshop.student import folder, prediction, progress
from polymask.common import figures

SUSPICIOUS = 3.0  # times the solution's speed


def show(exercise, where, outcome, result):
    """Print an outcome; `result` is the exercise's `progress.Result` after the check."""
    if outcome.note:
        click.echo(outcome.note)
    if outcome.speed:
        show_speed(outcome.speed, exercise, result.predicted)
    if outcome.passed:
        show_passed(exercise, where, outcome)
        return
    show_failure(exercise, outcome)
    if result.state == progress.BROKEN:
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


def show_passed(exercise, where, outcome):
    """Print the success, or why the speed is not judged; then questions, and the next exercise."""
    if outcome.untimed:
        right = click.style("RIGHT", fg="yellow")
        click.echo(f"{right} {exercise.name}; speed not judged: {outcome.untimed}")
        if outcome.speed:
            command = f"polymask workshop check {exercise.name}"
            click.echo(f"on a quiet machine, run {command}; --force judges now {concepts.QUIET}")
    else:
        click.echo(f"{click.style('PASSED', fg='green')} {exercise.name}")
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
    if outcome.printed and not outcome.speed and exercise.build != "kernel":
        click.echo("your code printed these last lines:")
        click.echo("\n".join(f"    {line}" for line in outcome.printed.splitlines()[-10:]))
    click.echo(f"for a hint: polymask workshop hint {exercise.name}")
