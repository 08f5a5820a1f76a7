"""The outcome of a check, printed for a student."""

import re

import click

from ladder.workshop import concepts
from ladder.workshop.student import folder, progress, speed
from polymask.cli.terminal import folded
from polymask.common import figures

BAR = 32  # characters
RED = r"\033[31m\g<0>\033[0m"
ROW, WRONG = re.compile(r"^ +\d+ [.#V?+-]+$", re.M), re.compile(r"[-+?]+")  # of a picture


def show(exercise, where, outcome, result):
    """Print an outcome; `result` is the exercise's `progress.Result` after the check."""
    if outcome.note:
        click.echo(outcome.note)
    if outcome.passed:
        show_passed(exercise, where, outcome, result.predicted)
        return
    if outcome.speed:
        click.echo(
            folded(f"{outcome.speed['measured']}: {speed.describe(outcome.speed, exercise.speed)}")
        )
        show_bars(result.predicted, outcome.speed)
    show_failure(exercise, outcome)
    if result.state == progress.BROKEN:
        click.echo("an earlier answer was right: `list` shows ✗ until a check passes again")


def show_passed(exercise, where, outcome, predicted):
    """Print the success with its speed, one question, and the next command."""
    word = "RIGHT" if outcome.untimed else "PASSED"
    beside = f": {speed.describe(outcome.speed, exercise.speed)}" if outcome.speed else ""
    click.echo(f"{click.style(word, fg='green')} {exercise.name}{beside}")
    show_bars(predicted, outcome.speed)
    if outcome.untimed:
        click.echo(f"its speed is not judged yet: {outcome.untimed}")
        click.echo(f"later: polymask workshop check --pending {concepts.QUIET}")
    if questions := exercise.questions():
        click.echo(folded(f"to think about: {questions[0]}"))
        click.echo(f"the answer, and the solution: polymask workshop solution {exercise.name}")
    if name := next(folder.unfinished(where, after=exercise.name), None):
        click.echo(f"next: polymask workshop ({folder.places(where)[name].name})")
    else:
        click.echo("that was the last open exercise")


def show_bars(predicted, result):
    """Draw a prediction and the measurement as bars of one scale, if there are both."""
    if not (result and predicted):
        return
    values = {"predicted": predicted, "measured": result["times_before"]}
    low, high = sorted(values.values())
    for name, value in values.items():
        bar = "█" * max(1, round(BAR * value / high))
        beside = f"  off by a factor of {figures.digits(high / low, 2)}" * (name == "measured")
        click.echo(f"  {name:<9} {figures.stated(value):>8} {bar}{beside}")


def show_failure(exercise, outcome):
    """Print what is wrong, where, and the command for a hint; wrong pixels are red."""
    click.echo(f"{click.style('NOT YET', fg='red')} {outcome.message}")
    if outcome.picture:
        click.echo(ROW.sub(lambda row: WRONG.sub(RED, row[0]), outcome.picture))
    if outcome.printed and not outcome.speed and exercise.build != "kernel":
        click.echo("your code printed these last lines:")
        click.echo("\n".join(f"    {line}" for line in outcome.printed.splitlines()[-10:]))
    click.echo(f"for a hint: polymask workshop hint {exercise.name}")
