"""`polymask workshop collect`: the results of a class, merged into a page to project."""

import contextlib
import time

import click

from ladder.workshop.author import class_page, student_results
from ladder.workshop.student import folder
from polymask.cli.places import FOLDER, GIVEN_FOLDER
from polymask.cli.terminal import wrote
from polymask.common import figures, saving

INTERVAL_S = 2  # between two looks into the folder


@click.command()
@click.argument("results", metavar="FOLDER", type=GIVEN_FOLDER)
@click.option("--out", type=FOLDER, help="Write to this folder.  [default: FOLDER]")
@click.option("--names", is_flag=True, help="Write names.html, with a table of the students.")
@click.option(
    "--watch",
    is_flag=True,
    help=f"Look every {INTERVAL_S} s for a changed file, and merge again. The page reloads itself.",
)
def collect(results, out, names, watch):
    """Merge the results.json of each student, saved as FOLDER/NAME.json, into class.html.

    The page is large enough to be projected, and has no names. It has the exercises that a student
    checked, and those of FOLDER/course.txt, if there is one.
    """
    file, seen = (out or results) / ("names.html" if names else "class.html"), None
    saving.make_folder(file.parent)

    def write(students, remarks, reload_s=None):
        for remark in remarks:
            click.echo(remark, err=True)
        page = class_page.draw(students, names, reload_s, folder.course(results))
        saving.write(file, page, trusted=False)
        wrote(str(file), then=f": {figures.count(len(students), 'student')}")

    with contextlib.suppress(KeyboardInterrupt):
        while watch:
            before, seen = seen, student_results.load(results)
            if seen != before:
                write(*seen, reload_s=INTERVAL_S)
                click.echo(f"{time.strftime('%H:%M')}: waiting for a changed file; Ctrl-C ends it")
            time.sleep(INTERVAL_S)
    students, remarks = student_results.load(results)
    if not (students or watch):
        advice = "copy each student's there, renamed"
        raise ValueError("; ".join([f"{results} has no results.json: {advice}", *remarks]))
    write(students, remarks)
    return 1 if remarks else 0
