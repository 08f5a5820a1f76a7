"""`polymask report`: table and plot again, from saved results."""

from pathlib import Path

import click

from polymask.cli.show import console
from polymask.contract import Unavailable
from polymask.report import coming_from, curves, picture, plot, readme, results, table


@click.command()
@click.argument(
    "files",
    metavar="FILE.json ...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False),
)
@click.option(
    "--out", type=click.Path(file_okay=False), help="Folder to write to; else beside each file."
)
@click.option(
    "--readme",
    "readme_file",
    type=click.Path(exists=True, dir_okay=False, writable=True),
    help="Rewrite this README between its marks, from the one FILE given.",
)
@click.option(
    "--coming-from",
    "coming_from_file",
    type=click.Path(dir_okay=False, writable=True),
    help="Write the page for users of other libraries here, from FILEs of `bench --peers`.",
)
def report(files, out, readme_file, coming_from_file):
    """Print the table of saved results, and write Markdown and plots from them.

    FILE.json comes from `polymask bench`, or from pytest --benchmark-json.
    """
    if readme_file and (len(files) > 1 or out):
        raise click.UsageError("--readme takes one FILE.json, and the plots beside it: no --out")
    if out:
        Path(out).mkdir(parents=True, exist_ok=True)
    loaded = []
    for file in map(Path, files):
        found = results.load(file)
        loaded += [result for result in found if "rows" in result]
        for result in found:
            show(result)
            stem = (Path(out) if out else file.parent) / file.stem
            if len(found) > 1:  # several sizes of pytest-benchmark's
                stem = Path(f"{stem}-{'x'.join(map(str, result['workload']['shape']))}")
            for written in write(result, stem):
                click.echo(f"wrote {written}")
    if readme_file:
        readme.rewrite(readme_file, files[0])
        click.echo(f"wrote {readme_file}")
    if coming_from_file:
        coming_from.write(loaded, coming_from_file)
        click.echo(f"wrote {coming_from_file}")


def show(result):
    """Print the table and its notes, of a result or of a sweep."""
    out = console()
    kind = curves if "sweep" in result else table
    out.print(kind.for_terminal(result, out.width))
    for note in kind.notes(result):
        out.print(f"- {note}", highlight=False, markup=False)


def write(result, stem):
    """Write Markdown, the plot and the polygon's picture; return the files."""
    text = Path(f"{stem}.md")
    kind = curves if "sweep" in result else table
    text.write_text(kind.markdown(result), encoding="utf-8")
    try:
        if "sweep" in result:
            return [text, *curves.draw(result, stem)]
        return [
            text,
            *plot.speedups(result, stem),
            *picture.polygon(result, f"{stem}-polygon"),
        ]
    except Unavailable as unavailable:
        click.echo(str(unavailable), err=True)
        return [text]


COMMANDS = (report,)
