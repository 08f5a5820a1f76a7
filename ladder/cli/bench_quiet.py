"""A check for other programs before a measurement, and a wait for them in a terminal."""

import sys

import click

from ladder.common import busy
from polymask.cli.terminal import folded

LONGEST_S = 30.0  # the longest wait for other programs to end
MEASURED = "Measuring on the busy machine; the result will record the load."


def look_first(force, still_busy=MEASURED):
    """Print a warning if other programs use the machine, and wait for them in a terminal.

    It does not wait with `force`, or without a terminal, as in CI. `still_busy` ends the warning on
    a machine that stays busy. Return the last `busy.Look`.
    """
    look = busy.look()
    if not look.busy:
        return look
    warn(f"This machine is busy: {look.sentence}. {busy.MEANING.capitalize()}.")
    if not force and sys.stderr.isatty():
        warn(f"Waiting up to {LONGEST_S:g} s for other programs to end; --force measures at once.")
        look = busy.wait(LONGEST_S)
    if look.busy:
        warn(still_busy)
    return look


def warn(text):
    """Print a text to standard error."""
    click.echo(folded(text), err=True)
