"""The command line.

Exit codes: 0: success; 1: wrong, unavailable or slower; 2: bad input; 3: a defect of polymask;
130: interrupted.
"""

import contextlib
import sys
import traceback
from importlib import import_module

import click

from polymask.cli.group import LazyCommands
from polymask.common import error_text, saving
from polymask.common.errors import BadSetting, NotBuilt, OffloadError, StaleModule, Unavailable

# The error of a group without a command; its text is the help. Older clicks print it and exit.
HELP = getattr(click.exceptions, "NoArgsIsHelpError", ())
SENTENCES = {  # of the help
    "mask": "Write the mask of all polygons in files: GeoJSON, COCO, .npy, or columns of text.",
    "labels": "Write a label image of the polygons in files: 1 for the first, 0 outside.",
    "coverage": "Write the fraction of each pixel that the polygons in files cover, as float32.",
    "stats": "Write statistics of an IMAGE within each polygon, such as count and mean, as CSV.",
    "outline": "Write the outlines of a mask or label image: .npy, .npz, .png, or another image.",
}
MODULES = {"labels": "mask", "coverage": "mask"}  # the others have the command's name
COMMANDS = {  # for each section of the help its commands: the module, and that sentence
    "Masks of the polygons in files": {
        name: (f"polymask.cli.{MODULES.get(name, name)}", text) for name, text in SENTENCES.items()
    }
}
DOCTOR = {  # that of the library, without the ladder
    "Start here": {"doctor": ("polymask.cli.engine_check", "Check each pixel of a small mask.")}
}
# For unknown commands, if there is no ladder.
ELSEWHERE = "; the commands of the course, such as bench and workshop, need a clone of polymask"
DONE, FAILED, BAD_INPUT, DEFECT, INTERRUPTED = 0, 1, 2, 3, 130


def _ladder():
    """Return the ladder's commands, which wheels lack."""
    try:
        return import_module("ladder.cli")
    except ModuleNotFoundError as error:
        if error.name not in ("ladder", "ladder.cli"):  # another package may be called ladder
            raise
        return None


LADDER = _ladder()


@click.group(
    cls=LazyCommands,
    sections=(LADDER.COMMANDS if LADDER else DOCTOR) | COMMANDS,
    elsewhere="" if LADDER else ELSEWHERE,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="polymask", prog_name="polymask")
def polymask_command():
    """Draw exact masks of polygons on images; in a clone, take the course and measure its steps."""


def main(arguments=None):
    """Run the command line, by default with the process's arguments; return the exit code."""
    flags = set()
    try:
        options = {"prog_name": "polymask", "standalone_mode": False, "obj": flags}
        code = polymask_command.main(arguments, **options) or DONE
        sys.stdout.flush()
        return code
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", INTERRUPTED)
    except Exception as error:
        if "debug" in flags:
            with contextlib.suppress(OSError):
                traceback.print_exception(error)
        return _print_error(error)


def _print_error(error):
    """Print an error on one line; return the exit code."""
    if isinstance(error, HELP):
        with contextlib.suppress(OSError):
            error.show()
        return error.exit_code
    if isinstance(error, click.ClickException):
        return _fail(_usage(error), error.exit_code)
    if isinstance(error, Unavailable):
        return _fail(error, BAD_INPUT if isinstance(error, BadSetting) else FAILED)
    if isinstance(error, (OffloadError, NotBuilt, StaleModule)):
        return _fail(error, FAILED)
    if isinstance(error, (ValueError, OSError)):
        return _fail(saving.explained(error), BAD_INPUT)
    if isinstance(error, MemoryError):
        from polymask.masks import container

        return _fail(f"out of memory: {error}{container.memory_note(error)}", BAD_INPUT)
    message = " ".join(f"{type(error).__name__}: {error}".split())
    if package := error_text.broken_package(error):
        message = f"the package {package} is installed, but cannot be imported: {message}"
        return _fail(message, FAILED)
    if LADDER and (edits := import_module("ladder.cli.edits").explained()):
        return _fail(f"{edits}. The error is {message}", FAILED)
    return _fail(f"a defect of polymask; please report the output with --debug: {message}", DEFECT)


def _usage(error):
    """Return click's error on one line instead of four."""
    message = " ".join(error.format_message().split()).rstrip(".")
    context = getattr(error, "ctx", None)
    return f"{message} (see `{context.command_path} --help`)" if context else message


def _fail(error, code):
    # file names may contain any character; `Unavailable` may quote the last lines of a build
    message = (error_text.in_a_line if code == BAD_INPUT else error_text.printable)(str(error))
    with contextlib.suppress(OSError):  # standard error may be closed
        click.echo(f"polymask: {message}", err=True)
    return code
