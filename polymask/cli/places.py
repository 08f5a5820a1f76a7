"""Types of arguments for files and folders, and checks of output files."""

import os
import sys
from pathlib import Path

import click

from polymask.common import saving, stdin_io


class Place(click.Path):
    """A file or a folder to write to; an empty name, as from an unset variable, is refused."""

    def convert(self, value, param, ctx):
        """Return the path."""
        if value == "":
            self.fail("the name is empty: is a variable unset?", param, ctx)
        return super().convert(value, param, ctx)


class Present(click.Path):
    """An existing file or folder."""

    def __init__(self, **options):
        super().__init__(exists=True, path_type=Path, **options)

    def convert(self, value, param, ctx):
        """Return the path, or report why it is inaccessible; Click would call it missing."""
        try:
            os.stat(value)
        except FileNotFoundError:
            pass
        except OSError as error:  # such as a loop of links, or a folder without permission
            self.fail(f"{str(value)!r}: {error.strerror}", param, ctx)
        return super().convert(value, param, ctx)


class Given(Present):
    """A file to read, or, with `stdin`, also `-`. A file of that name is given as ./-."""

    def __init__(self, stdin):
        super().__init__(dir_okay=False, allow_dash=stdin)

    def convert(self, value, param, ctx):
        """Return the path."""
        if self.allow_dash and str(value) == "-":
            return stdin_io.STDIN
        path = super().convert(value, param, ctx)
        return path.absolute() if path == stdin_io.STDIN else path


GIVEN = Given(stdin=False)
GIVEN_OR_STDIN = Given(stdin=True)
FILE = Place(dir_okay=False, writable=True, path_type=Path)  # a file to write
PAGE = Present(dir_okay=False, writable=True)  # a file to rewrite in part
PAGES = ".html", ".htm"
FOLDER = Place(file_okay=False, path_type=Path)
GIVEN_FOLDER = Present(file_okay=False)


def check_stdin(inputs):
    """Refuse to read standard input twice."""
    if inputs.count(stdin_io.STDIN) > 1:
        raise click.UsageError("- is standard input, which can be read only once")


def check_out(file, inputs):
    """Refuse an output file in a read-only folder, or one that is an input."""
    check_folder(_folder(file), file)
    refuse_input(file, inputs)


def check_written(option, file, inputs, suffixes=PAGES):
    """Refuse an output file like `check_out`, and one with a wrong suffix.

    Pipes and devices may have any suffix.
    """
    check_out(file, inputs)
    if file.suffix.lower() not in suffixes and (file.is_file() or not file.exists()):
        raise wrong_suffix(option, file, suffixes)


def wrong_suffix(option, file, suffixes):
    """Return the error for a file with a wrong suffix."""
    return click.UsageError(f"{option} writes {', '.join(suffixes)}, got {str(file)!r}")


def _folder(file):
    """Return the folder of a file, after following links to files."""
    if not file.is_symlink() or (file.exists() and not file.is_file()):
        return file.parent
    try:
        return saving.through_links(file).parent
    except saving.NotWritten as error:
        raise click.UsageError(str(error)) from None


def refuse_input(file, inputs):
    """Refuse an output file that is one of the inputs."""
    if file.exists() and any(_is_same(file, source) for source in inputs):
        raise click.UsageError(f"{file} is read and would be overwritten: write to another file")


def _is_same(file, source):
    """Return whether an input, which may be standard input, is that file."""
    if source != stdin_io.STDIN:
        return source.exists() and file.samefile(source)
    try:
        return os.path.samestat(file.stat(), os.fstat(sys.stdin.fileno()))
    except OSError:  # standard input is not a file
        return False


def check_folder(folder, file=None):
    """Refuse a folder that cannot be written to, before the work."""
    if not folder.is_dir():
        raise click.UsageError(f"there is no folder {folder}")
    try:
        saving.check_room(folder, file)
    except saving.NotWritten as error:
        raise click.UsageError(str(error)) from None
