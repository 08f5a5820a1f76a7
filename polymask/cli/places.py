"""Files and folders as arguments of commands, and what may be written where."""

import os
import sys
from pathlib import Path

import click

from polymask.common import saving, stdin_io


class Place(click.Path):
    """A file or a folder to write to, but not the empty name, which an unset variable gives."""

    def convert(self, value, param, ctx):
        """Return the path."""
        if value == "":
            self.fail("it has no name: is a variable unset?", param, ctx)
        return super().convert(value, param, ctx)


class Present(click.Path):
    """A file or a folder that is there."""

    def __init__(self, **options):
        super().__init__(exists=True, path_type=Path, **options)

    def convert(self, value, param, ctx):
        """Return the path, or say why nobody can look at it: Click would say it does not exist."""
        try:
            os.stat(value)
        except FileNotFoundError:
            pass
        except OSError as error:  # a loop of links, a folder that may not be entered
            self.fail(f"{str(value)!r}: {error.strerror}", param, ctx)
        return super().convert(value, param, ctx)


class Given(Present):
    """A file to read, or with `stdin` also `-`. A file that is called - is given as ./-."""

    def __init__(self, stdin):
        super().__init__(dir_okay=False, allow_dash=stdin)

    def convert(self, value, param, ctx):
        """Return the path."""
        if self.allow_dash and str(value) == "-":
            return stdin_io.STDIN
        found = super().convert(value, param, ctx)
        return found.absolute() if found == stdin_io.STDIN else found


GIVEN = Given(stdin=False)
GIVEN_OR_STDIN = Given(stdin=True)
FILE = Place(dir_okay=False, writable=True, path_type=Path)  # one to write
PAGE = Present(dir_okay=False, writable=True)  # one to rewrite in part
PAGES = ".html", ".htm"
FOLDER = Place(file_okay=False, path_type=Path)
GIVEN_FOLDER = Present(file_okay=False)


def check_stdin(inputs):
    """Refuse to read standard input twice."""
    if inputs.count(stdin_io.STDIN) > 1:
        raise click.UsageError("- is standard input, which can be read a single time")


def check_out(file, inputs):
    """Refuse a file to write whose folder cannot be written to, or that is one of the inputs."""
    check_folder(_folder(file), file)
    refuse_input(file, inputs)


def check_written(option, file, inputs, suffixes=PAGES):
    """Refuse a file to write as `check_out` does, or one whose name is that of another kind.

    A pipe or a device may be called anything.
    """
    check_out(file, inputs)
    if file.suffix.lower() not in suffixes and (file.is_file() or not file.exists()):
        raise wrong_suffix(option, file, suffixes)


def wrong_suffix(option, file, suffixes):
    """Return the error of a file that is not of the kinds that are written."""
    return click.UsageError(f"{option} writes {', '.join(suffixes)}, got {str(file)!r}")


def _folder(file):
    """Return the folder that a file is written to: where a link leads, if not to a device."""
    if not file.is_symlink() or (file.exists() and not file.is_file()):
        return file.parent
    try:
        return saving.through_links(file).parent
    except saving.NotWritten as error:
        raise click.UsageError(str(error)) from None


def refuse_input(file, inputs):
    """Refuse a file to write that is one of the inputs."""
    if file.exists() and any(_is_same(file, given) for given in inputs):
        raise click.UsageError(f"{file} is read and would be overwritten: write to another file")


def _is_same(file, given):
    """Whether an input, standard input say, is that file."""
    if given != stdin_io.STDIN:
        return given.exists() and file.samefile(given)
    try:
        return os.path.samestat(file.stat(), os.fstat(sys.stdin.fileno()))
    except OSError:  # it is none of the system's
        return False


def check_folder(folder, file=None):
    """Refuse a folder that cannot be written to, before the work and not after it."""
    if not folder.is_dir():
        raise click.UsageError(f"there is no folder {folder}")
    try:
        saving.check_room(folder, file)
    except saving.NotWritten as error:
        raise click.UsageError(str(error)) from None
