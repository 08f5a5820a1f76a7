"""`polymask list`, `show` and `styles`: the rungs, a rung's code, and the page of styles."""

import difflib
import re

import click
from rich.table import Table

from polymask.cli.options import rung_argument
from polymask.cli.places import FILE, check_written
from polymask.cli.terminal import console, wrote
from polymask.ladder import registry
from polymask.ladder.rung import Rung


@click.command("list")
def list_rungs():
    """List the rungs, whether each runs here, and why not."""
    missing = registry.unavailable(Rung.look)  # without imports: Numba's alone takes half a second
    table = Table(box=None, pad_edge=False)
    for heading in ("key", "folder", "runs", "title", "the idea it teaches"):
        table.add_column(heading, overflow="fold")
    for rung in registry.RUNGS:
        answer = "no" if rung.key in missing else "yes"
        table.add_row(rung.key, rung.folder, answer, rung.title, rung.idea)
    console().print(table)
    if missing:
        click.echo("\nDo not run here:")
    for key, why in missing.items():
        click.echo(f"- {key}: {why}")  # on one line, so that commands can be copied


@click.command()
@rung_argument
@click.option("--diff", is_flag=True, help="Show what changed since the rung before.")
def show(rung, diff):
    """Show a rung's file, or its difference to the rung before."""
    text, language = rung.source(), rung.language
    if diff:
        text, language = difference(rung), "diff"
    out = console()
    if out.is_terminal:
        from rich.syntax import Syntax  # slow to import

        coloured = Syntax(text, language, theme="ansi_dark", background_color="default")
        out.print(coloured.highlight(text), soft_wrap=True, end="")  # do not cut lines
    else:
        click.echo(text, nl=False)


@click.command()
@click.argument("page", metavar="PAGE.html", type=FILE)
def styles(page):
    """Write a page with the code of the mask in array, loop and kernel style, side by side."""
    from polymask.report.page import three_styles  # slow to import

    check_written("styles", page, [])
    three_styles.write(page)
    wrote(page)


def difference(rung):
    """Return the unified difference from the file of `before` to the rung's own."""
    if rung.before is None:
        raise click.UsageError(f"{rung.key} has no rung before it")
    before = registry.get(rung.before)
    if before.file == rung.file:
        return f"# no difference: {rung.key} is {before.file}, not a letter changed\n"
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
    """Return a rung's source, Python or Cython, without its functions and classes of these names.

    Functions and classes are separated by two blank lines.
    """
    any_of = "|".join(map(re.escape, names)) or "(?!)"
    starts = re.compile(rf"^(def|class|cdef class) ({any_of})\b", re.M)
    return "\n\n\n".join(part for part in source.split("\n\n\n") if not starts.search(part))
