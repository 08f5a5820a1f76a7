"""Before anything is measured: other programs are named, and waited for in a terminal."""

import sys

import click

from polymask.cli.progress_bar import progress
from polymask.cli.terminal import folded
from polymask.common import busy

LONGEST_S = 30.0  # of waiting for other programs to end


def look_first(force):
    """Say whether other programs use the machine, and wait for them where somebody can see it.

    A script or CI is never held up, nor is who says `force`. Returns the last look.
    """
    seen = busy.look()
    if not seen.busy:
        return seen
    tell(f"This machine is busy: {seen.sentence}. {busy.MEANING.capitalize()}.")
    if not force and watched():
        tell(f"Waiting up to {LONGEST_S:g} s for quiet; --force measures at once, Ctrl-C ends.")
        seen = wait()
    if seen.busy:
        tell("Measuring all the same; the result says so.")
    return seen


def watched():
    """Whether a person reads what is printed while this runs."""
    return sys.stderr.isatty()


def wait():
    """Show how long the wait for other programs still is; return the last look."""
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
