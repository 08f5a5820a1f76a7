"""`polymask report`: tables, plots and a page from saved results."""

from pathlib import Path

import click

from ladder.bench.result import Result
from ladder.cli.result_output import ALL, output_files, show, write
from ladder.common import checkout
from ladder.report import kinds, lessons, results
from polymask.cli.places import FILE, FOLDER, GIVEN, PAGE, check_folder, check_written, refuse_input
from polymask.cli.terminal import wrote
from polymask.common import saving


@click.command()
@click.argument("files", metavar="FILE.json ...", nargs=-1, required=True, type=GIVEN)
@click.option("--out", type=FOLDER, help="Write Markdown and plots to this folder.")
@click.option(
    "--readme",
    "readme_file",
    type=PAGE,
    help="Rewrite the table between the marks of this README from a single FILE, and write the "
    "Markdown and the plots that it shows beside FILE.",
)
@click.option(
    "--lessons",
    "in_lessons",
    is_flag=True,
    help="Rewrite the measured times in the lessons of this checkout, between the marks that name "
    "one of the FILEs.",
)
@click.option(
    "--coming-from",
    "coming_from_file",
    type=PAGE,
    help="Rewrite the tables between the marks of this page for users of other libraries, from "
    "FILEs of `bench --peers`.",
)
@click.option(
    "--html",
    "html_file",
    type=FILE,
    help="Write a web page with everything in all FILEs here: results, sweeps, the race.",
)
@click.option("--all", "all_columns", is_flag=True, help=ALL)
def report(files, out, readme_file, in_lessons, coming_from_file, html_file, all_columns):
    """Print the tables of saved results, or write them as Markdown, plots or a page.

    `polymask bench` and pytest --benchmark-json write FILE.json.
    """
    if readme_file and (len(files) > 1 or out):
        raise click.UsageError("--readme takes one FILE.json: leave out other files and --out")
    if html_file:
        check_written("--html", html_file, files)
        from ladder.report.page import page  # slow to import

        page.environment()
    named = results.load_named(files)
    if html_file and not all(kinds.of(entry.result).on_page for entry in named):
        raise click.UsageError("--html shows results and sweeps, but not runs on many polygons")
    if out:
        saving.make_folder(out)
        check_folder(out)
    stems = [stem(entry, named, out) if out or readme_file else None for entry in named]
    for file in [file for entry in stems if entry for file in output_files(entry)]:
        refuse_input(file, [*files, *([readme_file] if readme_file else [])])
    for entry, target in zip(named, stems, strict=True):
        show(entry.result, all_columns)
        for file in write(entry.result, target) if target else []:
            wrote(file)
    if readme_file:
        kinds.of(named[0].result).rewrite(readme_file, files[0])
        wrote(readme_file)
    single = [entry for entry in named if isinstance(entry.result, Result)]
    if in_lessons:
        for page_file in lessons.rewrite({entry.file: entry.result for entry in single}):
            wrote(page_file)
    if coming_from_file:
        coming_from = checkout.load("benchmarks.coming_from")
        coming_from.rewrite(coming_from_file, [entry.result for entry in single])
        wrote(coming_from_file)
    if html_file:
        page.write(named, html_file)
        wrote(html_file)


def stem(entry, named, out):
    """Return the stem of a result's files: in the folder `out`, or beside its file."""
    name = str(Path(entry.name).with_suffix("")).replace("/", "-")  # with the file's folder
    path = out / name if out else entry.file.with_suffix("")
    if sum(other.file == entry.file for other in named) > 1:  # several sizes of pytest-benchmark
        path = Path(f"{path}-{'x'.join(map(str, entry.result.workload.shape))}")
    return path
