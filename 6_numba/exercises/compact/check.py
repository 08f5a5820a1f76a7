"""Compact masks of many shapes, and test each step and the number of threads."""

import functools

import numpy as np

from ladder.workshop import concepts
from ladder.workshop.sandbox import cases, child, compiling, garbage, known_calls, process_stats
from ladder.workshop.sandbox.check_failed import CheckFailed, advising, same

UNDER = compiling.UNDER
SHAPE, CALLS = (2000, 2000), 10


def check(answer, random):
    """Raise `CheckFailed` at the first step that is wrong, or that uses only one thread."""
    rng = np.random.default_rng(random.randrange(10**6))
    counts = rng.integers(0, 9, 12)
    same(answer.starts(counts), np.cumsum(counts) - counts, f"starts({counts.tolist()})")
    for shape in ((1, 1), (3, 7), (40, 60), (151, 97)):
        for label, mask in (
            ("a polygon", cases.random_mask(random, shape)[1]),
            ("a full mask", np.ones(shape, np.uint8)),
        ):
            call = (mask,), np.flatnonzero(mask), f"{label}, {shape}"
            with advising("do the parts cover each pixel once, each from its own begin[c] on?"):
                known_calls.check_call(answer.compact, *call)
    known_calls.check_numba(answer.compact, *random_case(rng), "half of the pixels, at random")
    check_steps(answer, rng)
    child.step("compacting a large mask by several threads")
    garbage.perturb(0)
    mask = (np.add.outer(*map(np.arange, SHAPE)) % 3 == 0).astype(np.uint8)
    right = np.flatnonzero(mask)
    if not all(np.array_equal(answer.compact(mask), right) for _ in range(CALLS)):
        advice = f"do two threads write to the same places? {concepts.RACE}"
        raise CheckFailed("one of several results for a large mask is wrong", advice=advice)
    begin = answer.starts(answer.count(mask.ravel()))
    for name, more in (("count", ()), ("write", (begin, right))):
        call = functools.partial(getattr(answer, name), mask.ravel(), *more)
        seconds = process_stats.busy_seconds(call, CALLS)
        compiling.check_shared(seconds, f"{name}, for a large mask")


def random_case(rng):
    """Return a mask of which a random half is set, and the numbers of these pixels."""
    mask = np.repeat(np.array([0, 1], np.uint8), 600)
    rng.shuffle(mask)
    return (mask.reshape(30, 40),), np.flatnonzero(mask)


def check_steps(answer, rng):
    """Raise `CheckFailed` unless each step does its own part in parallel code."""
    (mask,), right = random_case(rng)
    counts, counted = child.observe(answer.count, mask.ravel())
    if not isinstance(counts, np.ndarray) or counts.ndim != 1 or counts.sum() != right.size:
        raise CheckFailed(f"count: {right.size} pixels are set, but the counts are {counts}")
    if counts.max() == counts.sum():
        fact = f"count: all pixels are in one count of {counts.tolist()}"
        raise CheckFailed(fact, advice="return one count per chunk")
    begin, out = np.cumsum(counts) - counts, np.full(right.size, -1)
    _, written = child.observe(answer.write, mask.ravel(), begin, out)
    for name, facts in (("count", counted), ("write", written)):
        if not any(note["parallel"] for note in facts["compiled"]):
            fact = f"{name}: it is compiled without `parallel=True`"
            raise CheckFailed(f"{fact}, so only one thread works")
