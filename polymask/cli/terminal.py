"""How commands print: tables, sentences, and lines that fit a terminal."""

import os
import shutil

import click
from rich.console import Console

from polymask.common import error_text
from polymask.common.errors import BadSetting


def console(stderr=False):
    """Return a console that shows texts as they are, and cuts no lines in a file or a pipe.

    What stands in brackets, as in polymask[opencl], is markup to rich, and :x: a picture.
    """
    for name in "COLUMNS", "LINES":
        if (text := os.environ.get(name, "")).isdigit() and not text.isdecimal():
            # which rich takes for a number, and int() does not
            raise BadSetting(f"{name}={text} is no number", "set it to a number, or unset it")
    made = Console(stderr=stderr, markup=False, emoji=False)
    if not made.is_terminal:
        made.width = 200
    return made


def wrote(*files, then=""):
    """Say which files were written, as far as their names can be printed."""
    click.echo(f"wrote {error_text.in_a_line(' and '.join(map(str, files)))}{then}")


def say(out, text):
    """Print a sentence: folded between words in a terminal, on one line elsewhere."""
    out.print(text, highlight=False, soft_wrap=not out.is_terminal)


def folded(text):
    """Return a text in lines that fit the terminal, and are no longer than reads well."""
    return click.wrap_text(text, min(80, shutil.get_terminal_size().columns))
