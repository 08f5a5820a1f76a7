"""The registry: the single list of all rungs of the ladder.

A new rung is one file and one entry, in `ladder/registry/course.py` or `beyond.py`. CONTRIBUTING.md
has the steps, `ladder/registry/rung.py` the fields of an entry, and `ladder/registry/work.py` the
terms for its work.
"""

from ladder.registry import beyond, course
from ladder.registry.rung import Rung
from polymask.common.error_text import nearest, quote
from polymask.contract import Unavailable

BASE = "python.tuples"  # the denominator of every speed-up
RUNGS = course.RUNGS + beyond.RUNGS

BY_KEY = {rung.key: rung for rung in RUNGS}


def get(key):
    """Return the rung with a key, or raise a KeyError that names the nearest keys."""
    if key not in BY_KEY:
        raise KeyError(f"no rung is called {quote(key)}{nearest(key, BY_KEY)}")
    return BY_KEY[key]


def chain(rung):
    """Return a rung and all rungs that it builds on, the nearest first."""
    return [rung, *chain(get(rung.before))] if rung.before else [rung]


def other_algorithm(rung):
    """Return whether a rung, or a rung that it builds on, changes the algorithm."""
    return any(step.changes == "algorithm" for step in chain(rung))


def unavailable(load=Rung.load):
    """Try all rungs; return a dict from key to `Unavailable` error of those that cannot run here.

    `Rung.look` is faster than `Rung.load`, but does not try compilers.
    """
    errors = {}
    for rung in RUNGS:
        try:
            load(rung)
        except Unavailable as error:
            errors[rung.key] = error
    return errors
