"""The command line.

Exit codes: 0 done, 1 wrong, unavailable or slower, 2 bad input, 130 interrupted.
"""

import sys

import click

import polymask
from polymask import saving
from polymask.cli import (
    annotate,
    bench,
    doctor,
    explain,
    mask,
    profiles,
    report,
    run,
    show,
    workshop,
)
from polymask.cli.group import Commands
from polymask.contract import Unavailable

FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(polymask.__version__, prog_name="polymask")
def polymask_command():
    """The mask of a polygon on an image, solved again and again, each time faster."""


for command in (
    *(show.list_rungs, show.show, run.run, profiles.profile, bench.bench, explain.explain),
    *(report.report, mask.mask, doctor.doctor, annotate.annotate, *workshop.COMMANDS),
):
    polymask_command.add_command(command)


def main(arguments=None):
    """Run the command line, with the process's arguments if None; return the exit code."""
    try:
        return polymask_command.main(arguments, prog_name="polymask", standalone_mode=False) or 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except Unavailable as error:
        return _say(error, FAILED)
    except (ValueError, OSError) as error:
        if isinstance(error, BrokenPipeError):  # `polymask list | head` has seen enough
            sys.stderr.close()
            return 0
        return _say(saving.explained(error), BAD_INPUT)
    except MemoryError as error:
        return _say(f"out of memory: {error}", BAD_INPUT)
    except (KeyboardInterrupt, click.Abort):
        return _say("interrupted", INTERRUPTED)


def _say(error, code):
    click.echo(f"polymask: {error}", err=True)
    return code
