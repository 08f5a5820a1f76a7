"""`polymask annotate`: Cython's annotated page, and a table of its yellow lines."""

import tokenize
from pathlib import Path

import click
from rich.table import Table

from ladder import registry
from ladder.workshop import exercises
from ladder.workshop.sandbox import yellow
from polymask.cli.places import FOLDER
from polymask.cli.terminal import console, wrote
from polymask.common import saving


@click.command()
@click.argument("target", metavar="KEY|FILE")
@click.option("--out", type=FOLDER, default=".", show_default=True, help="Write the page here.")
def annotate(target, out):
    """Write Cython's annotated page of a rung or file; count lines that call Python.

    Yellow lines call Python's C interface. The score is Cython's own: the more calls, the larger.
    """
    source = find(target)
    page, html = yellow.annotate(source), out / f"{source.stem}.html"
    saving.write(html, page)
    with tokenize.open(source) as file:  # with its own encoding
        text = file.read()
    scores = yellow.read(html)
    table = Table(box=None, pad_edge=False)
    for heading in ("function", "lines", "yellow lines", "score", "in its loops"):
        table.add_column(heading, justify="left" if heading == "function" else "right")
    for block, lines, score in yellow.by_function(scores, text):
        loops = yellow.in_loops(scores, text, block.name)
        span = f"{block.first}-{block.last}"
        table.add_row(block.name, span, str(lines), str(score), str(sum(loops.values())))
    console().print(table)
    wrote(html, then=": open it in a browser, and click a line to see its C code")


def find(target):
    """Return the source file of a rung's key, or the file of that name."""
    file = Path(target)
    if file.suffix in (".pyx", ".py"):
        if not file.is_file():
            raise click.UsageError(f"there is no file {target}")
        return file
    try:
        rung = registry.get(target)
    except KeyError as error:
        raise click.UsageError(f"{error.args[0]}; or give a .pyx or .py file") from None
    if rung.compiled != "Cython":
        raise click.UsageError(f"{rung.key} is not compiled with Cython")
    return exercises.ROOT / rung.file
