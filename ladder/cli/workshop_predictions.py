"""`polymask workshop predictions`: a student's predictions and measurements over time."""

import math
import time

import click
from rich.table import Table

from ladder.common import confidence
from ladder.workshop.student import folder, prediction, progress
from polymask.cli.terminal import console
from polymask.common import figures

BLOCKS = 4  # of a bar, for each factor of two
HEADINGS = ("date", "exercise", *(NUMBERS := ("predicted", "measured", "off by")), "")


@click.command("predictions")
def list_predictions():
    """Show your predictions beside the measurements, in the order of time.

    A bar shows the factor between both, on a logarithmic scale.
    """
    results = progress.load(folder.find()).items()
    stated = [(result.predicted_at or 0, name, result) for name, result in results if result.off]
    table, factors = Table(box=None, pad_edge=False), []
    for heading in HEADINGS:
        table.add_column(heading, justify="right" if heading in NUMBERS else "left", no_wrap=True)
    for at, name, result in sorted(stated, key=lambda row: row[:2]):
        factors.append(factor := max(result.off, 1 / result.off))
        table.add_row(
            time.strftime("%Y-%m-%d", time.localtime(at)) if at else "",
            name,
            prediction.written(result.predicted),
            figures.digits(result.speed_up),
            figures.digits(factor, 2),
            "█" * round(BLOCKS * math.log2(factor)),
        )
    if not factors:
        click.echo("nothing was predicted and measured yet: a check asks before it measures")
        return
    console().print(table, highlight=False)
    if len(factors) > 1:
        halves = factors[: len(factors) // 2], factors[len(factors) // 2 :]
        first, second = (figures.digits(confidence.median(half), 2) for half in halves)
        click.echo(f"median factor: {first} in the first half, {second} in the second half")
