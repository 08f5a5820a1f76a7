"""The command line.

Exit codes: 0 success, 1 wrong, unavailable or slower, 2 bad input, 3 a defect of polymask,
130 interrupted.
"""

import contextlib
import sys
import traceback

import click

from polymask.cli.group import LazyCommands
from polymask.common import error_text, saving, staleness
from polymask.common.errors import BadSetting, OffloadError, Unavailable

# Raised by a group without a command, with the help as text. Older clicks print it and exit.
HELP = getattr(click.exceptions, "NoArgsIsHelpError", ())
# The first sentence of each command's help; the command is in the file of that name.
COMMANDS = {
    "annotate": "Write Cython's annotated page of a rung or a file; say how much still calls "
    "Python.",
    "bench": "Measure the rungs on one polygon, every mask checked, and print the speed-up table.",
    "doctor": "Say what this machine offers, a line each: OK, or LOOK and what to do.",
    "explain": "Say why a rung is as fast as it is: what limits it, and how far away it is.",
    "labels": "Number the pixels of each polygon in files, from 1 on, in their order; 0 is "
    "outside.",
    "list": "List the rungs, whether each runs here, and why not.",
    "mask": "Make the mask of all polygons in files: GeoJSON, text or CSV with two columns, .npy.",
    "outline": "Write the outlines of a mask or a label image: .npy, .npz, .png, or another image.",
    "pipeline": "Print what Numba makes of a rung, stage by stage: of numba.njit if none is named.",
    "profile": "Profile a rung: how often each function is called, and which take the time.",
    "report": "Print the table of saved results; write Markdown, plots or a page of them where "
    "told to.",
    "run": "Make one mask by a rung; print the time of this first call, and how many pixels "
    "it has.",
    "show": "Show a rung's file, or its difference to the rung before.",
    "stats": "Write count, sum, mean, min and max of an IMAGE within each polygon, as CSV.",
    "styles": "Write a page with the code of the mask in array, loop and kernel style, side by "
    "side.",
    "workshop": "Learn it by doing it: exercises with hints, and a check that is hard to fool.",
}
# Commands in other files: those of related commands, or to avoid the name of a standard module.
ELSEWHERE = {"labels": "mask", "list": "show", "profile": "profiles", "styles": "show"}
DONE, FAILED, BAD_INPUT, DEFECT, INTERRUPTED = 0, 1, 2, 3, 130


@click.group(
    cls=LazyCommands,
    package=__name__,
    sentences=COMMANDS,
    modules=ELSEWHERE,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="polymask", prog_name="polymask")
def polymask_command():
    """The mask of a polygon on an image, solved again and again, each time faster."""


def main(arguments=None):
    """Run the command line, with the process's arguments if None; return the exit code."""
    flags = set()
    try:
        how = {"prog_name": "polymask", "standalone_mode": False, "obj": flags}
        code = polymask_command.main(arguments, **how) or DONE
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
    """Print an error in a line; return the exit code."""
    if isinstance(error, HELP):
        with contextlib.suppress(OSError):
            error.show()
        return error.exit_code
    if isinstance(error, click.ClickException):
        return _fail(_usage(error), error.exit_code)
    if isinstance(error, Unavailable):
        return _fail(error, BAD_INPUT if isinstance(error, BadSetting) else FAILED)
    if isinstance(error, (OffloadError, staleness.NotBuilt, staleness.StaleModule)):
        return _fail(error, FAILED)
    if isinstance(error, (ValueError, OSError)):
        return _fail(saving.explained(error), BAD_INPUT)
    if isinstance(error, MemoryError):
        return _fail(f"out of memory: {error}", BAD_INPUT)
    message = " ".join(f"{type(error).__name__}: {error}".split())
    if package := error_text.broken_package(error):
        message = f"the package {package} is installed, but cannot be imported: {message}"
        return _fail(message, FAILED)
    from polymask.cli import edits

    if files := edits.edited_files():
        return _fail(f"{edits.explain(files)}, and now: {message}", FAILED)
    return _fail(f"a defect of polymask, please report it with --debug: {message}", DEFECT)


def _usage(error):
    """Return click's error in one line, instead of click's four."""
    message = " ".join(error.format_message().split()).rstrip(".")
    context = getattr(error, "ctx", None)
    return f"{message} (see `{context.command_path} --help`)" if context else message


def _fail(error, code):
    # names of files may hold anything; `Unavailable` may have the last lines of a build
    message = (error_text.in_a_line if code == BAD_INPUT else error_text.printable)(str(error))
    with contextlib.suppress(OSError):  # standard error may be closed
        click.echo(f"polymask: {message}", err=True)
    return code
