"""Progress of a command: a bar in a terminal, plain lines elsewhere."""

import sys
import threading
import time

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from polymask.cli.terminal import console
from polymask.common.null_progress import NullProgress


def progress(line=None):
    """Return a display of progress for standard error.

    If a `line` is given and standard error is not a terminal, only that line is printed, at once.
    """
    if sys.stderr.isatty():
        return Bar()
    if line is None:
        return Lines()
    click.echo(line, err=True)
    return NullProgress()


class Bar(NullProgress):
    """A bar that is redrawn between samples, and once a second during long calls."""

    TICK_S = 1.0

    def __init__(self):
        self.bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console(stderr=True),
            auto_refresh=False,  # a thread of rich would disturb a measured call
            transient=True,
        )
        self.task = None
        self.ticker = None

    def __enter__(self):
        self.bar.start()
        return self

    def __exit__(self, *error):
        self._stop_ticking()
        self.bar.stop()

    def begin(self, text, total):
        """Begin a phase of `total` seconds, or of `total` rows."""
        if self.task is not None:
            self.bar.remove_task(self.task)
        self.task = self.bar.add_task(text, total=total)

    def working(self, text, long=False):
        """Show the current step; `long` if it takes over a second."""
        self._stop_ticking()
        self.bar.update(self.task, description=text, refresh=True)
        if long:
            self.ticker = threading.Event()
            threading.Thread(target=self._tick, args=(self.ticker,), daemon=True).start()

    def advance(self, amount):
        """Advance the phase by `amount`."""
        self.bar.advance(self.task, amount)

    def _tick(self, stop):
        while not stop.wait(self.TICK_S):
            self.bar.refresh()

    def _stop_ticking(self):
        if self.ticker:
            self.ticker.set()
            self.ticker = None


class Lines(NullProgress):
    """Lines on standard error: one for each row or slow call, and for a few seconds of rounds."""

    EVERY_S = 5.0

    def begin(self, text, total):
        """Begin a phase of `total` seconds, or of `total` rows."""
        self.last = -self.EVERY_S
        click.echo(f"{text} ...", err=True)

    def working(self, text, long=False):
        """Show the current step; `long` if it takes over a second."""
        now = time.monotonic()
        if long or now - self.last >= self.EVERY_S:
            self.last = now
            click.echo(f"  {text}", err=True)
