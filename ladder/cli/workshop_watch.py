"""`polymask workshop watch`: a check at each save, and keys for the other commands."""

import time

import click

from ladder.cli import keys, workshop_texts
from ladder.cli.workshop_check import run_check
from ladder.cli.workshop_list import show_list

INTERVAL_S = 0.5  # between two looks for a saved file
KEYS = "keys: n next, h hint, s solution, r reset, l list, q quit"
QUIT = ("q", keys.END)


def watch_exercise(where, exercise):
    """Check an exercise at each save until the student quits; without keys, until it passes."""
    checked = None
    while True:
        times = saved(where, exercise)
        if times != checked:
            checked = times
            passed = run_check(exercise, where)
            has_keys = keys.available()
            if passed and not has_keys:
                return
            click.echo(KEYS if has_keys else "waiting for the next save; Ctrl-C ends it")
        key = wait(where, exercise, checked)
        if key in QUIT:
            return
        if key:
            changed = ACTIONS[key](where, exercise)
            if changed:
                exercise, checked = changed, saved(where, changed)
            click.echo(KEYS)


def saved(where, exercise):
    """Return the times at which the exercise's files were saved; 0 for a missing file."""
    files = [where / exercise.directory / name for name in exercise.files]
    return [file.stat().st_mtime_ns if file.exists() else 0 for file in files]


def wait(where, exercise, times):
    """Wait for the key of an action or a save; return the key, or an empty text."""
    if not keys.available():
        time.sleep(INTERVAL_S)
        return ""
    with keys.unbuffered():
        while saved(where, exercise) == times:
            if (key := keys.read(INTERVAL_S)) in (*ACTIONS, *QUIT):
                return key
    return ""


# The actions of the keys return the exercise to watch without a check, if it or its files changed.


def go_on(where, exercise):
    """Print the next open exercise."""
    return workshop_texts.show_next(where, after=exercise.name)


def show_hint(where, exercise):
    """Print one more hint."""
    workshop_texts.show_hint(where, exercise)


def show_solution(where, exercise):
    """Print the solution, if the exercise has passed."""
    if workshop_texts.may_see(where, exercise, "solution"):
        workshop_texts.show_solution(where, exercise)


def reset(where, exercise):
    """Restore the starter, if the student confirms it."""
    question = f"restore the starter of {exercise.name}, and keep your file as a copy?"
    if not click.confirm(question):
        return None
    workshop_texts.restore(where, exercise)
    return exercise


def list_all(where, exercise):
    """List the exercises."""
    show_list(where)


ACTIONS = {"n": go_on, "h": show_hint, "s": show_solution, "r": reset, "l": list_all}
