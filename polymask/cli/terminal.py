"""Output of commands: tables, sentences, and lines that fit a terminal."""

import os
import shutil

import click
from rich.console import Console

from polymask.common import error_text
from polymask.common.errors import BadSetting


def console(stderr=False):
    """Return a console that prints texts unchanged, and cuts no lines in a file or a pipe.

    By default, rich reads brackets as markup, as in polymask[opencl], and :x: as an emoji.
    """
    for name in "COLUMNS", "LINES":
        if (text := os.environ.get(name, "")).isdigit() and not text.isdecimal():
            # rich takes it for a number, but int() refuses it
            raise BadSetting(f"{name}={text} is not a number", "set it to a number, or unset it")
    terminal = Console(stderr=stderr, markup=False, emoji=False)
    if not terminal.is_terminal:
        terminal.width = 200
    return terminal


def wrote(*files, then=""):
    """Print the names of written files, with unprintable characters escaped."""
    click.echo(f"wrote {error_text.in_a_line(' and '.join(map(str, files)))}{then}")


def say(out, text):
    """Print a sentence, folded between words in a terminal, on one line elsewhere."""
    out.print(text, highlight=False, soft_wrap=not out.is_terminal)


def folded(text, indent=""):
    """Fold a text into lines that fit the terminal, of at most 80 characters.

    All lines but the first begin with `indent`.
    """
    width = min(80, shutil.get_terminal_size().columns)
    return click.wrap_text(text, width, subsequent_indent=indent)
