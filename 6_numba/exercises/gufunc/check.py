"""Hands in rows alone, images, and stacks of images, some of them turned around."""

import numpy as np

from polymask.workshop.sandbox import child, compiling, poison, usage
from polymask.workshop.sandbox.wrong import Wrong, same

UNDER = compiling.UNDER
SHAPES = ((7, 13), (1,), (9,), (1, 1), (3, 4, 21), (2, 3, 2, 5))
TARGETS = {"fill": "cpu", "areas": "parallel"}
SHAPE, CALLS = (2000, 3000), 20


def check(answer, random):
    """Raise `Wrong` at the first result that is not right, or not made by such a ufunc."""
    rng = np.random.default_rng(random.randrange(10**6))
    for name, right in RIGHT.items():
        for shape in SHAPES:
            one_call(answer, name, drawn(rng, shape), right, f"{name}, shape {shape}")
        turned = drawn(rng, (8, 5)).T
        one_call(answer, name, turned, right, f"{name}, an image whose columns lie in memory")
        compiling.check_idle(
            getattr(answer, name),
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


def one_call(answer, name, rows, right, label):
    """Raise `Wrong` unless a call is right, and done by a generalized ufunc of Numba's."""
    child.step(label)
    expected = right(rows)
    poison.memory((expected.nbytes,) if expected.ndim else ())
    got, facts = child.observe(getattr(answer, name), rows)
    if isinstance(expected, np.ndarray):
        same(got, expected, label)
    elif got != expected or not isinstance(got, np.int64):
        raise Wrong(f"{label}: expected {expected!r}, got {got!r}")
    compiling.check_arguments(facts, label)
    compiling.check_called(facts, label, "guvectorize")
    calls = len(facts["compiled"])
    if calls > 1:
        raise Wrong(f"{label}: it was called {calls} times; the loop over the rows is NumPy's")


def target(answer, rng):
    """Raise `Wrong` unless the rows of `areas` are shared among threads, those of `fill` not."""
    for name in RIGHT:
        _, facts = child.observe(getattr(answer, name), drawn(rng, (4, 4)))
        if any(note["parallel"] for note in facts["compiled"]) != (name == "areas"):
            raise Wrong(f"{name}: its target is to be {TARGETS[name]!r}")
    seconds = busy(answer)
    if seconds and compiling.workers(seconds) < 2:
        raise Wrong("areas: one thread does it all")


def busy(module):
    """Return how many seconds each thread was busy with areas, the longest first."""
    masks = np.ones(SHAPE, np.uint8)
    module.areas(masks)
    return usage.busy(lambda: module.areas(masks), CALLS)
