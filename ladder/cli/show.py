"""`polymask list` and `show`: the rungs, and a rung's code."""

import difflib
import re

import click
from rich.table import Table

from ladder import registry
from ladder.cli.rung_options import rung_argument
from ladder.registry.rung import Rung
from polymask.cli.terminal import console
from polymask.common import figures


@click.command("list")
def list_rungs():
    """List the rungs, and the reasons why some of them do not run here."""
    missing = registry.unavailable(Rung.look)  # without imports: Numba alone takes half a second
    table = Table(box=None, pad_edge=False)
    for heading in ("key", "runs", "the idea it teaches"):
        table.add_column(heading, overflow="fold")
    for rung in registry.RUNGS:
        answer = "no" if rung.key in missing else "yes"
        table.add_row(rung.key, answer, rung.idea)
    console().print(table)
    if missing:
        click.echo("\nNot available here:")
    for line in figures.by_reason(missing):
        click.echo(f"- {line}")  # on one line, so that commands can be copied


@click.command()
@rung_argument
@click.option("--diff", is_flag=True, help="Print the changes instead of the file.")
def show(rung, diff):
    """Print a rung: its idea, its lesson, its measured time, and its file.

    With --diff, print only the changes from the rung that its lesson starts from.
    """
    if diff:
        text, language = difference(rung), "diff"
    else:
        from ladder.report import rung_facts  # slow to import

        facts = {rung.key: rung.title, **rung_facts.of(rung)}
        lines = [f"# {name}: {fact}\n" for name, fact in facts.items()]  # comments of its language
        text, language = f"{''.join(lines)}\n{rung.source()}", rung.language
    out = console()
    if out.is_terminal:
        from rich.syntax import Syntax  # slow to import

        coloured = Syntax(text, language, theme="ansi_dark", background_color="default")
        out.print(coloured.highlight(text), soft_wrap=True, end="")  # do not cut lines
    else:
        click.echo(text, nl=False)


def difference(rung):
    """Return the unified difference from the file of the rung's `before` to its own file."""
    if rung.before is None:
        raise click.UsageError(f"{rung.key} is the first rung: there is no rung before it")
    before = registry.get(rung.before)
    if before.file == rung.file:
        return f"# no difference: {rung.key} is the unchanged file {before.file}\n"
    imported = imported_names(rung.source(), before.module_name)
    return "".join(
        difflib.unified_diff(
            without(before.source(), imported).splitlines(keepends=True),
            rung.source().splitlines(keepends=True),
            f"{before.file}, except the names imported from it" if imported else before.file,
            rung.file,
        )
    )


def imported_names(source, module):
    """Return the names that a rung's source imports from another module."""
    names_of = rf"^from {re.escape(module)} import (?:\(([^)]*)\)|([^(#\n]+))"
    imports = re.findall(names_of, source, re.M)
    lists = [re.sub("#.*", "", "".join(names)) for names in imports]
    return {name.split()[0] for names in lists for name in names.split(",") if name.strip()}


def without(source, names):
    """Return a rung's source in Python or Cython without functions and classes of these names.

    Two blank lines separate functions and classes.
    """
    any_of = "|".join(map(re.escape, names)) or "(?!)"
    starts = re.compile(rf"^(def|class|cdef class) ({any_of})\b", re.M)
    return "\n\n\n".join(part for part in source.split("\n\n\n") if not starts.search(part))
