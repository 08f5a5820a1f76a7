"""A look at other programs before a measurement, and a wait for them in a terminal."""

import sys

import click

from polymask.cli.progress_bar import progress
from polymask.cli.terminal import folded
from polymask.common import busy

LONGEST_S = 30.0  # of waiting for other programs to end


def look_first(force):
    """Print whether other programs use the machine, and wait for them in a terminal.

    Without a terminal, as in CI, or with `force` it does not wait. Returns the last look.
    """
    seen = busy.look()
    if not seen.busy:
        return seen
    tell(f"This machine is busy: {seen.sentence}. {busy.MEANING.capitalize()}.")
    if not force and watched():
        tell(f"Waiting up to {LONGEST_S:g} s for quiet; --force measures at once, Ctrl-C ends.")
        seen = wait()
    if seen.busy:
        tell("Measuring all the same; the result will note it.")
    return seen


def watched():
    """Whether standard error is a terminal."""
    return sys.stderr.isatty()


def wait():
    """Wait for other programs, with a progress bar; return the last look."""
    left_before = LONGEST_S
    with progress() as bar:
        bar.begin("waiting for quiet", LONGEST_S)

        def show(seen, left):
            nonlocal left_before
            bar.advance(left_before - left)
            bar.working("waiting for quiet", long=True)
            left_before = left

        return busy.wait(LONGEST_S, show)


def tell(text):
    """Write a text to standard error."""
    click.echo(folded(text), err=True)
