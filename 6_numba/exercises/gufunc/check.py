"""Hands in rows alone, images, and stacks of images, some of them turned around."""

import numpy as np

from polymask.workshop.sandbox import compiling
from polymask.workshop.sandbox.wrong import Wrong, same

UNDER = compiling.UNDER
SHAPES = ((7, 13), (1,), (9,), (1, 1), (3, 4, 21), (2, 3, 2, 5))


def check(answer, random):
    """Raise `Wrong` at the first result that is not right, or not made by such a ufunc."""
    rng = np.random.default_rng(random.randrange(10**6))
    for name, right in RIGHT.items():
        if not hasattr(answer, name):
            raise Wrong(f"gufunc.py has no function {name}")
        for shape in SHAPES:
            one_call(answer, name, drawn(rng, shape), right, f"{name}, shape {shape}")
        turned = drawn(rng, (8, 5)).T
        one_call(answer, name, turned, right, f"{name}, an image whose columns lie in memory")
        compiling.check_work(
            answer,
            name,
            lambda right=right: with_right(drawn(rng, (6, 11)), right),
            name,
            lambda got, right, name=name: same(got, right, name),
        )
    target(answer, rng)


def drawn(rng, shape):
    """Return zeros and ones."""
    return rng.integers(0, 2, shape).astype(np.uint8)


def with_right(rows, right):
    """Return the arguments of a call, and what is right."""
    return (rows,), right(rows)


def filled(toggles):
    """Return the masks of toggles."""
    return np.bitwise_xor.accumulate(toggles, axis=-1)


def summed(masks):
    """Return the areas of rows."""
    return masks.sum(axis=-1, dtype=np.int64)


RIGHT = {"fill": filled, "areas": summed}
TARGETS = {"fill": "cpu", "areas": "parallel"}


def one_call(answer, name, rows, right, label):
    """Raise `Wrong` unless a call is right, and done by a generalized ufunc of Numba's."""
    answer.doing(label)
    expected = right(rows)
    answer.ours("poison", "memory", (expected.nbytes,) if expected.ndim else ())
    got, facts = answer.observe(name, rows)
    if isinstance(expected, np.ndarray):
        same(got, expected, label)
    elif got != expected or not isinstance(got, np.int64):
        raise Wrong(f"{label}: expected {expected!r}, got {got!r}")
    compiling.check_arguments(facts, label)
    compiling.check_called(facts, label, "guvectorize")
    calls = len(facts["found"]["compiled"])
    if calls > 1:
        raise Wrong(f"{label}: it was called {calls} times; the loop over the rows is NumPy's")


def target(answer, rng):
    """Raise `Wrong` unless the rows of `areas` are shared among threads, those of `fill` not."""
    for name in RIGHT:
        _, facts = answer.observe(name, drawn(rng, (4, 4)))
        if any(note["parallel"] for note in facts["found"]["compiled"]) != (name == "areas"):
            raise Wrong(f"{name}: its target is to be {TARGETS[name]!r}")
    seconds = answer.inside("busy")
    if seconds and compiling.workers(seconds) < 2:
        raise Wrong("areas: one thread does it all")
