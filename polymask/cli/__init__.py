"""The command line.

Exit codes: 0 done, 1 wrong, unavailable or slower, 2 bad input, 3 a defect of polymask,
130 interrupted.
"""

import contextlib
import sys
import traceback

import click

import polymask
from polymask.cli import (
    annotate,
    bench,
    doctor,
    edits,
    explain,
    labels_command,
    mask,
    outline,
    pipeline,
    profiles,
    report,
    run,
    show,
    stats_command,
    styles,
    workshop,
)
from polymask.cli.group import Asked, Commands
from polymask.common import error_text, saving, staleness
from polymask.contract import BadSetting, Unavailable

# What a group raises that is called alone: its text is the help. Older clicks print and end.
HELP = getattr(click.exceptions, "NoArgsIsHelpError", ())
DONE, FAILED, BAD_INPUT, DEFECT, INTERRUPTED = 0, 1, 2, 3, 130


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(polymask.__version__, prog_name="polymask")
def polymask_command():
    """The mask of a polygon on an image, solved again and again, each time faster."""


for command in (
    *(show.list_rungs, show.show, run.run, profiles.profile, bench.bench, explain.explain),
    *(
        report.report,
        styles.styles,
        mask.mask,
        outline.outline,
        labels_command.labels,
        stats_command.stats,
        doctor.doctor,
        annotate.annotate,
        pipeline.pipeline,
        *workshop.COMMANDS,
    ),
):
    polymask_command.add_command(command)


def main(arguments=None):
    """Run the command line, with the process's arguments if None; return the exit code."""
    asked = Asked()
    try:
        how = {"prog_name": "polymask", "standalone_mode": False, "obj": asked}
        code = polymask_command.main(arguments, **how) or DONE
        sys.stdout.flush()
        return code
    except (KeyboardInterrupt, click.Abort):
        return _say("interrupted", INTERRUPTED)
    except Exception as error:
        if asked.debug:
            with contextlib.suppress(OSError):
                traceback.print_exception(error)
        return _tell(error)


def _tell(error):
    """Tell an error in a line; return the exit code."""
    if isinstance(error, HELP):
        with contextlib.suppress(OSError):
            error.show()
        return error.exit_code
    if isinstance(error, click.ClickException):
        return _say(_usage(error), error.exit_code)
    if isinstance(error, Unavailable):
        return _say(error, BAD_INPUT if isinstance(error, BadSetting) else FAILED)
    if isinstance(error, (staleness.NotBuilt, staleness.StaleModule)):
        return _say(error, FAILED)
    if _is_of_offload(error):  # no compiler for its kernels, say
        return _say(error, FAILED)
    if isinstance(error, (ValueError, OSError)):
        return _say(saving.explained(error), BAD_INPUT)
    if isinstance(error, MemoryError):
        return _say(f"out of memory: {error}", BAD_INPUT)
    said = " ".join(f"{type(error).__name__}: {error}".split())
    if package := error_text.broken_package(error):
        return _say(f"the package {package} is installed, but cannot be imported: {said}", FAILED)
    if files := edits.edited_files():
        return _say(f"{edits.explain(files)}, and now: {said}", FAILED)
    return _say(f"a defect of polymask, please report it with --debug: {said}", DEFECT)


def _usage(error):
    """Return an error of click's in one line; click itself would take four, the usage first."""
    said = " ".join(error.format_message().split()).rstrip(".")
    context = getattr(error, "ctx", None)
    return f"{said} (see `{context.command_path} --help`)" if context else said


def _is_of_offload(error):
    """Whether it is the runtime's own; not imported, as few commands have one: then it is none."""
    module = sys.modules.get("polymask.offload.error")
    return module is not None and isinstance(error, module.OffloadError)


def _say(error, code):
    # names of files may hold anything; what is unavailable may show the last lines of a build
    said = (error_text.in_a_line if code == BAD_INPUT else error_text.printable)(str(error))
    with contextlib.suppress(OSError):  # nobody is there to hear it
        click.echo(f"polymask: {said}", err=True)
    return code
