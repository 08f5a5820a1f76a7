"""`polymask workshop`: the commands for exercises, such as start, check and hint."""

import errno
import shlex
from pathlib import Path

import click

from ladder.cli import workshop_texts, workshop_watch
from ladder.cli.workshop_check import check_pending, run_check
from ladder.cli.workshop_collect import collect
from ladder.cli.workshop_list import list_exercises, list_predictions
from ladder.workshop import exercises
from ladder.workshop.author import verify as verifying
from ladder.workshop.student import folder, progress
from polymask.cli.group import Commands
from polymask.cli.options import Text
from polymask.cli.places import Place
from polymask.common import figures, saving
from polymask.common.error_text import in_a_line
from polymask.contract import Unavailable

EXERCISE, COURSE = Text("name", exercises.get), Text("name,...", exercises.listed)


class Workshop(Commands):
    """The group of commands; for a folder that cannot be written to, it names a remedy."""

    def invoke(self, context):
        """Run a command."""
        try:
            return super().invoke(context)
        except OSError as error:
            read_only = error.errno in (errno.EROFS, errno.EACCES)
            others = read_only or isinstance(error, saving.NotWritten)
            if not others or error.errno in saving.FULL or context.invoked_subcommand == "collect":
                raise
            what = "this folder is read-only" if read_only else error
            advice = "choose one of your folders, such as `polymask workshop start ~/workshop`"
            raise ValueError(f"{what}: {advice}") from None


def takes_name(command):
    """Give a command the argument NAME, and describe it in the help."""
    text = "The default NAME is that of the current folder, or else of the next open exercise."
    command.__doc__ += f"\n\n    {text}\n"
    argument = click.argument("exercise", metavar="[NAME]", type=EXERCISE, required=False)
    return argument(command)


@click.group(cls=Workshop, invoke_without_command=True)
@click.pass_context
def workshop(context):
    """Work on exercises with hints, and check your answers.

    Without a command, it shows the next open exercise and watches it, like `watch`; the first time,
    it also creates the workshop in ./workshop. Without a terminal, it only shows the exercise.
    """
    if context.invoked_subcommand is None:
        where = folder.find_or_name()
        if not (where / progress.FILE).exists():
            write(where, folder.select(where))
        name = next(folder.unfinished(where), None)
        if name is None or workshop_watch.can_read_keys():
            workshop_watch.watch_exercises(where, name)
        else:
            workshop_texts.show_task(where, exercises.get(name))
            click.echo(f"then: polymask workshop check {name}")


for command in (collect, list_exercises, list_predictions):
    workshop.add_command(command)


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
    click.echo(f"begin with: cd {shlex.quote(str(where))} && polymask workshop")


def write(where, selected, as_course=False):
    """Write the missing files of exercises, and print the number of exercises."""
    written = folder.start(where, selected, as_course)
    existed = len(selected) - len(written)
    click.echo(
        f"{in_a_line(str(where))}: {figures.count(len(written), 'exercise')} written, "
        f"{existed} existed"
    )


@workshop.command()
@takes_name
@click.option("--force", is_flag=True, help="Judge the speed, even if the machine is busy.")
@click.option("--pending", is_flag=True, help="Check all right answers whose speed is not judged.")
def check(exercise, force, pending):
    """Check your answer: build it, test it on hostile polygons, and measure it."""
    if pending and exercise:
        raise click.UsageError("--pending checks several exercises: name none")
    if pending:
        return 0 if check_pending(folder.find(), force) else 1
    where, exercise = choose(exercise)
    return 0 if run_check(exercise, where, force) else 1


@workshop.command()
@takes_name
@click.option("--all", "every", is_flag=True, help="Show those so far again, and no new one.")
def hint(exercise, every):
    """Show one more hint."""
    workshop_texts.show_hint(*choose(exercise), every)


@workshop.command()
@takes_name
def reset(exercise):
    """Restore the starter file, and keep your file as a copy."""
    where, exercise = choose(exercise)
    for copy in folder.reset(where, exercise):
        click.echo(f"kept your file as {in_a_line(str(copy))}")
    click.echo(f"{in_a_line(str(where / exercise.directory))}: the starter is restored")


@workshop.command()
@takes_name
@click.option("--give-up", is_flag=True, help="Do so before you have passed.")
def solution(exercise, give_up):
    """Compare your file with the solution, and answer the questions of the task."""
    where, exercise = choose(exercise)
    if not give_up and not progress.load(where)[exercise.name].passed:
        advice = f"take a hint, or give up: polymask workshop solution {exercise.name} --give-up"
        raise Unavailable(f"{exercise.name} has not passed yet", advice)
    workshop_texts.show_solution(where, exercise)


@workshop.command()
@takes_name
def watch(exercise):
    """Check an exercise each time you save its file; when it passes, go on to the next.

    In a terminal, single keys show a hint, check now, give up, go on, or quit.
    """
    where, exercise = choose(exercise)
    workshop_watch.watch_exercises(where, exercise.name)


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


def choose(exercise):
    """Return the workshop's folder, and the given, current, or next open exercise."""
    where = folder.find()
    if exercise is None:
        name = folder.name_here(where) or next(folder.unfinished(where), None)
        if name is None:
            raise click.UsageError("no exercise is open: name one")
        exercise = exercises.get(name)
    return where, exercise
