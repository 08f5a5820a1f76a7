"""Holds the file that was built against the one that was given."""

from itertools import zip_longest

from polymask.workshop import exercises
from polymask.workshop.sandbox.wrong import Wrong

FILE = "tuples.py"


def check(answer, random):
    """Raise `Wrong` if another tuples.py was built than python.tuples."""
    given = exercises.get("setup").solution(FILE).splitlines()
    built = answer.source(FILE).splitlines()  # what the build took
    for number, (old, new) in enumerate(zip_longest(given, built), start=1):
        if old != new:
            raise Wrong(
                f"{FILE} is not the file that was given to you: line {number} differs. Only "
                f"setup.py is yours here; copy 0_python/{FILE} into this folder again"
            )
