"""The registry: every rung of the ladder, once. All that asks for rungs reads it.

A new rung is one file and one entry, in `polymask/ladder/course.py` or `beyond.py`; CONTRIBUTING.md
says how, and `polymask/ladder/rung.py` what an entry can say. Its work is in terms of
`polymask/ladder/work.py`.
"""

import difflib

from polymask.common.error_text import shown
from polymask.contract import Unavailable
from polymask.ladder import beyond, course
from polymask.ladder.rung import Rung

BASE = "python.tuples"  # the denominator of every speed-up
RUNGS = course.RUNGS + beyond.RUNGS

BY_KEY = {rung.key: rung for rung in RUNGS}


def get(key):
    """Return the rung of that key; a KeyError's text names the nearest keys."""
    if key not in BY_KEY:
        raise KeyError(f"no rung is called {shown(key)}{nearest(key, BY_KEY)}")
    return BY_KEY[key]


def chain(rung):
    """Return a rung and all that it builds on: the one before it, the one before that, ..."""
    return [rung, *chain(get(rung.before))] if rung.before else [rung]


def other_algorithm(rung):
    """Return whether a rung, or one that it builds on, changes the algorithm."""
    return any(one.changes == "algorithm" for one in chain(rung))


def unavailable(ask=Rung.load):
    """Try all rungs; return those that cannot run here: key to the `Unavailable` that says why.

    `Rung.look` in the place of `Rung.load` is faster, and believes in compilers that it sees.
    """
    found = {}
    for rung in RUNGS:
        try:
            ask(rung)
        except Unavailable as missing:
            found[rung.key] = missing
    return found


def nearest(name, names):
    """Return words like "; did you mean 'a' or 'b'?", or where nothing is near, all names."""
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return f"; did you mean {' or '.join(map(repr, close))}?"
    return f"; there are {', '.join(names)}"
