"""`polymask workshop watch`: a check at each save, keys in a terminal, then the next exercise."""

import os
import select
import sys
import time

import click

from ladder.cli import workshop_texts
from ladder.cli.workshop_check import run_check
from ladder.workshop import exercises
from ladder.workshop.student import folder
from polymask.common import figures, saving
from polymask.common.error_text import in_a_line
from polymask.contract import Unavailable

try:
    import termios
    import tty
except ImportError:  # Windows, where no exercise can be checked
    termios = None

INTERVAL_S = 0.25  # between two looks for a saved file
END = b"", b"\x04", b"\0"  # Ctrl-D, also if it was pressed a moment before
KEYS = "h hint, c check now, n next exercise, G give up: show the solution, q quit"


def watch_exercises(where, name):
    """Check an exercise at each save; go on to the next when it passes, or at the key n."""
    left_out = set()
    while name:
        exercise = exercises.get(name)
        workshop_texts.show_task(where, exercise)
        pressed = watch(where, exercise)
        if pressed == "q":
            return
        left_out |= {name} if pressed else set()
        todo = folder.unfinished(where, after=name)
        name = next((other for other in todo if other not in left_out), None)
        click.echo("-" * 40)
    left = [f"you left out {figures.listed(sorted(left_out))}"] if left_out else []
    left = "; ".join(left + folder.closed(folder.places(where))) or "all have passed"
    click.echo(f"{in_a_line(str(where))} has no other open exercise: {left}")


def watch(where, exercise):
    """Check an exercise until it passes; return "", or the key that ended it: n or q."""
    seen = saved(where, exercise)
    checked = [] if exercise.kind == "find the bug" else seen  # which shows the bug
    announce()
    while True:
        pressed, before = read_key(INTERVAL_S), seen
        seen = saved(where, exercise)
        if pressed in ("n", "q"):
            return pressed
        if pressed == "h":
            workshop_texts.show_hint(where, exercise)
        elif pressed == "G":
            workshop_texts.show_solution(where, exercise)
        elif pressed == "c" or before == seen != checked:  # two equal looks: the editor is done
            checked = seen
            if passes(where, exercise):
                return ""
            read_key(0)  # keys that were pressed during the check
        else:
            continue
        announce()


def announce():
    """Print what happens next, and the keys of a terminal."""
    keys = KEYS if can_read_keys() else "Ctrl-C ends it"
    click.echo(f"waiting for the next save; {keys}")


def passes(where, exercise):
    """Whether the answer passes; print why there is no check, such as a missing folder."""
    try:
        return run_check(exercise, where)
    except (KeyboardInterrupt, click.Abort):
        click.echo("\nthe check was interrupted")
    except (Unavailable, ValueError, OSError) as error:
        click.echo(saving.explained(error))
    return False


def saved(where, exercise):
    """Return the times at which the exercise's files were saved; 0 for a missing file."""
    files = [where / exercise.directory / name for name in exercise.files]
    return [file.stat().st_mtime_ns if file.exists() else 0 for file in files]


def can_read_keys():
    """Whether single keys can be read."""
    return termios is not None and sys.stdin.isatty()


def read_key(seconds):
    """Return the key that is pressed within some time; "" if none, or without a terminal."""
    if not can_read_keys():
        time.sleep(seconds)
        return ""
    terminal = sys.stdin.fileno()
    settings = termios.tcgetattr(terminal)
    try:  # for each key, so that a check, its prompt and a stopped process have the usual settings
        tty.setcbreak(terminal, termios.TCSANOW)
        if not select.select([terminal], [], [], seconds)[0]:
            return ""
        pressed = os.read(terminal, 99)
    finally:
        termios.tcsetattr(terminal, termios.TCSANOW, settings)
    return pressed.decode(errors="replace") if pressed not in END else "q"
