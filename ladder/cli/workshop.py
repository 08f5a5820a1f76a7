"""`polymask workshop`: the commands for exercises, such as start, check and hint."""

from pathlib import Path

import click
from rich.table import Table

from ladder.cli import workshop_texts
from ladder.cli.workshop_check import run_check
from ladder.cli.workshop_list import list_exercises
from ladder.cli.workshop_watch import watch_exercise
from ladder.workshop import exercises
from ladder.workshop.author import collect as collecting
from ladder.workshop.author import student_results
from ladder.workshop.author import verify as verifying
from ladder.workshop.student import folder
from polymask.cli.group import Commands
from polymask.cli.options import Text
from polymask.cli.places import FOLDER, GIVEN_FOLDER, Place
from polymask.cli.terminal import console, wrote
from polymask.common import figures, saving
from polymask.common.error_text import in_a_line
from polymask.contract import Unavailable


def read_course(text):
    """Read comma-separated names of exercises, without repetitions."""
    by_name = {exercise.name: exercise for exercise in map(exercises.get, text.split(","))}
    return list(by_name.values())


EXERCISE, COURSE = Text("name", exercises.get), Text("name,...", read_course)
NAME = click.argument("exercise", metavar="[NAME]", type=EXERCISE, required=False)
GIVE_UP = click.option("--give-up", is_flag=True, help="Do so before you have passed.")


@click.group(cls=Commands, invoke_without_command=True)
@click.pass_context
def workshop(context):
    """Work on exercises with hints, and check your answers.

    Without a command, it shows the next open exercise; the first time, it also creates the workshop
    in ./workshop.
    """
    exercises.need_checkout()
    if context.invoked_subcommand is None:
        try:
            where = folder.find()
        except Unavailable:
            where = Path(folder.NAME)
            write(where, folder.select(where))
        workshop_texts.show_next(where)


workshop.add_command(list_exercises)


@workshop.command()
@click.argument("where", metavar="[DIR]", required=False, type=Place(path_type=Path))
@click.option(
    "--exercises",
    "course",
    type=COURSE,
    metavar="NAME,...",
    help="Write only these, and list them in course.txt, which sets the order.",
)
def start(where, course):
    """Create one folder per exercise in DIR, with the task and a starter file.

    The default DIR is the workshop that contains the current folder, or else ./workshop. If it has
    a course.txt, with one name per line, only these exercises are written. Existing files are never
    overwritten, except for course.txt with --exercises; `reset` restores a starter file.
    """
    where = where or folder.find_or_name()
    selected = folder.select(where) if course is None else course
    write(where, selected, as_course=course is not None)
    first = workshop_texts.next_open(where, [exercise.name for exercise in selected])
    if first:
        place = in_a_line(str(where))
        click.echo(f"begin with {in_a_line(str(folder.places(where)[first] / 'task.md'))}")
        click.echo(f"then, in {place}: polymask workshop check {first}")


def write(where, selected, as_course=False):
    """Write the missing files of exercises, and print the number of exercises."""
    try:
        written = folder.start(where, selected, as_course)
    except saving.NotWritten as error:
        advice = "choose one of your folders, such as `polymask workshop start ~/workshop`"
        raise ValueError(f"{error}; {advice}") from None
    existed = len(selected) - len(written)
    click.echo(
        f"{in_a_line(str(where))}: {figures.count(len(written), 'exercise')} written, "
        f"{existed} existed"
    )


@workshop.command()
@NAME
@click.option("--force", is_flag=True, help="Judge the speed, even if the machine is busy.")
def check(exercise, force):
    """Check your answer: build it, test it on hostile polygons, and measure it.

    The default NAME is the exercise of the current folder, or else the first open exercise.
    """
    where, exercise = choose(exercise)
    return 0 if run_check(exercise, where, force) else 1


@workshop.command()
@NAME
def hint(exercise):
    """Show the hints so far and one more.

    The default NAME is the exercise of the current folder, or else the first open exercise.
    """
    workshop_texts.show_hint(*choose(exercise))


@workshop.command()
@NAME
def reset(exercise):
    """Restore the starter file, and keep your file as a copy.

    The default NAME is the exercise of the current folder.
    """
    workshop_texts.restore(*choose(exercise, or_open=False))


@workshop.command()
@NAME
@GIVE_UP
def solution(exercise, give_up):
    """Compare your file with the solution, after you have passed or with --give-up.

    The default NAME is the exercise of the current folder.
    """
    where, exercise = choose(exercise, or_open=False)
    if not workshop_texts.may_see(where, exercise, "solution", give_up):
        return 1
    workshop_texts.show_solution(where, exercise)
    return 0


@workshop.command()
@NAME
@GIVE_UP
def answers(exercise, give_up):
    """Answer the questions at the end of a task, after you have passed or with --give-up.

    The default NAME is the exercise of the current folder.
    """
    where, exercise = choose(exercise, or_open=False)
    if not workshop_texts.may_see(where, exercise, "answers", give_up):
        return 1
    workshop_texts.show_answers(exercise)
    return 0


@workshop.command()
@NAME
def watch(exercise):
    """Check an exercise each time you save its file, until it passes or you press Ctrl-C."""
    watch_exercise(*choose(exercise))


@workshop.command()
@click.argument("names", metavar="[NAME]...", type=EXERCISE, nargs=-1)
def verify(names):
    """Prove that starters and wrong answers fail, and that right answers pass (for authors)."""
    faulty = 0
    for exercise in names or exercises.every():
        try:
            exercise.require()
        except exercises.Unavailable as unavailable:
            click.echo(f"skipped {exercise.name}: {unavailable}")
            continue
        faults = verifying.verify(exercise, lambda text: click.echo(f"  {text}", err=True))
        faulty += bool(faults)
        click.echo(f"{'WRONG' if faults else 'good '} {exercise.name}")
        for fault in faults:
            click.echo(f"  {fault}")
    return 1 if faulty else 0


@workshop.command()
@click.argument("results", metavar="FOLDER", type=GIVEN_FOLDER)
@click.option("--out", type=FOLDER, help="Write to this folder.  [default: FOLDER]")
def collect(results, out):
    """Merge the results.json of each student, saved as FOLDER/NAME.json, into tables."""
    out = out or results
    students, remarks = student_results.load(results)
    for remark in remarks:
        click.echo(remark, err=True)
    table = Table(box=None, pad_edge=False)
    headings, *rows = collecting.summary(students)
    for heading in headings:
        names = heading in collecting.NAMES
        side = "left" if collecting.is_text(heading) else "right"
        table.add_column(heading, justify=side, no_wrap=not names, overflow="fold")
    for row in rows:
        table.add_row(*row)
    console().print(table)
    click.echo(collecting.LEGEND.strip())
    saving.make_folder(out)
    saving.write(out / "class.md", collecting.markdown(students), trusted=False)
    wrote(str(out / "class.md"))
    return 1 if remarks else 0


def choose(exercise, or_open=True):
    """Return the workshop's folder, and the given, current, or first open exercise."""
    where = folder.find()
    if exercise is None:
        name = folder.name_here(where)
        if name is None and not or_open:
            raise click.UsageError("name an exercise, or change to its folder")
        name = name or workshop_texts.next_open(where)
        if name is None:
            raise click.UsageError("all exercises have passed: name one")
        exercise = exercises.get(name)
    return where, exercise
