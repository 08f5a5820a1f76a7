"""`polymask list` and `polymask show`: the rungs, and the code of one."""

import difflib

import click
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

from polymask import rungs
from polymask.cli.options import RungKey


@click.command("list")
def list_rungs():
    """List the rungs, whether each runs here, and why not."""
    missing = rungs.unavailable()
    table = Table(box=None, pad_edge=False)
    for heading in ("key", "folder", "runs", "title", "the idea it teaches"):
        table.add_column(heading, overflow="fold")
    for rung in rungs.RUNGS:
        answer = "no" if rung.key in missing else "yes"
        table.add_row(rung.key, rung.folder, answer, rung.title, rung.idea)
    console().print(table)
    if missing:
        click.echo("\nDo not run here:")
    for key, why in missing.items():
        click.echo(f"- {key}: {why}")  # on one line, so that what to do can be copied


@click.command()
@click.argument("rung", metavar="KEY", type=RungKey())
@click.option("--diff", is_flag=True, help="Show what changed since the rung before.")
def show(rung, diff):
    """Show a rung's file, or its difference to the rung before."""
    text, language = rung.source(), "cython" if rung.file.endswith(".pyx") else "python"
    if diff:
        text, language = difference(rung), "diff"
    out = console()
    if out.is_terminal:
        coloured = Syntax(text, language, theme="ansi_dark", background_color="default")
        out.print(coloured.highlight(text), soft_wrap=True, end="")  # no line is cut
    else:
        click.echo(text, nl=False)


def difference(rung):
    """Return the unified difference from the file of `before` to the rung's own."""
    if rung.before is None:
        raise click.UsageError(f"{rung.key} is the first rung: there is nothing before it")
    before = rungs.get(rung.before)
    if before.file == rung.file:
        return f"# no difference: {rung.key} is {before.file}, not a letter changed\n"
    return "".join(
        difflib.unified_diff(
            before.source().splitlines(keepends=True),
            rung.source().splitlines(keepends=True),
            before.file,
            rung.file,
        )
    )


def console():
    """Return a console that shows texts as they are, and cuts no lines in a file or a pipe.

    What stands in brackets, as in polymask[opencl], is markup to rich, and :x: a picture.
    """
    made = Console(markup=False, emoji=False)
    if not made.is_terminal:
        made.width = 200
    return made


def say(out, text):
    """Print a sentence: folded between words in a terminal, on one line elsewhere."""
    out.print(text, highlight=False, soft_wrap=not out.is_terminal)


COMMANDS = (list_rungs, show)
