"""`polymask workshop watch`: a check at each save."""

import time

import click

from ladder.cli.workshop_check import run_check

INTERVAL_S = 0.5  # between two looks for a saved file


def watch_exercise(where, exercise):
    """Check an exercise at each save until it passes."""
    checked = None
    while True:
        times = saved(where, exercise)
        if times != checked:
            checked = times
            if run_check(exercise, where):
                return
            click.echo("waiting for the next save; Ctrl-C ends it")
        time.sleep(INTERVAL_S)


def saved(where, exercise):
    """Return the times at which the exercise's files were saved; 0 for a missing file."""
    files = [where / exercise.directory / name for name in exercise.files]
    return [file.stat().st_mtime_ns if file.exists() else 0 for file in files]
