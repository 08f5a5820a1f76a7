"""Compacts masks of many shapes, looks at each step, and at the threads."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import child, compiling, poison, usage
from polymask.workshop.sandbox.wrong import Wrong, same

UNDER = compiling.UNDER
SHAPES = ((1, 1), (3, 7), (13, 5), (40, 60), (151, 97))
SHAPE, CALLS = (2000, 2000), 10


def check(answer, random):
    """Raise `Wrong` at the first step that is not right, or that one thread does."""
    rng = np.random.default_rng(random.randrange(10**6))
    counts = rng.integers(0, 9, 12)
    same(answer.starts(counts), np.cumsum(counts) - counts, f"starts({counts.tolist()})")
    for shape in SHAPES:
        for label, mask in masks(rng, shape):
            what = f"{label}, {shape[0]} x {shape[1]}"
            child.step(what)
            poison.memory((int(mask.sum()) * 8,))
            right = np.flatnonzero(mask)
            got, facts = child.observe(answer.compact, mask)
            same(got, right, what)
            compiling.check_arguments(facts, what)
    compiling.check_called(facts, what)
    compiling.check_idle(
        answer.compact, lambda: drawn(rng), what, lambda got, right: same(got, right, what)
    )
    check_steps(answer, rng)
    child.step("compacting a large mask by several threads")
    poison.off()
    wrong, seconds = busy(answer)
    if wrong:
        raise Wrong(
            f"a large mask, compacted several times: {wrong} results are wrong: who else writes to "
            "the places that a thread writes to?"
        )
    compiling.check_shared(seconds, "a large mask")


def masks(rng, shape):
    """Return masks of a shape, each with its name."""
    polygon = workload.polygon(9, shape, int(rng.integers(10**6)))
    return [
        ("a polygon", reference.mask(polygon, shape)),
        ("an empty mask", np.zeros(shape, np.uint8)),
        ("a full mask", np.ones(shape, np.uint8)),
        ("pixels at random", rng.integers(0, 2, shape).astype(np.uint8)),
    ]


def drawn(rng):
    """Return a mask of half of its pixels, others each time, and their numbers."""
    mask = np.zeros(1200, np.uint8)
    mask[rng.permutation(1200)[:600]] = 1
    return (mask.reshape(30, 40),), np.flatnonzero(mask)


def check_steps(answer, rng):
    """Raise `Wrong` unless each step does its own part, in parallel code."""
    (mask,), right = drawn(rng)
    flat = mask.ravel()
    counts, facts = child.observe(answer.count, flat)
    in_parallel(facts, "count")
    if not isinstance(counts, np.ndarray) or counts.ndim != 1 or counts.sum() != flat.sum():
        raise Wrong(f"count: {int(flat.sum())} pixels are set, and the counts are {counts}")
    if len(counts) < 2 or counts.max() == counts.sum():
        raise Wrong(f"count: one count of {counts.tolist()} has all pixels: who shares the work?")
    out = np.full(right.size, -1)
    _, facts = child.observe(answer.write, flat, np.cumsum(counts) - counts, out)
    in_parallel(facts, "write")


def in_parallel(facts, name):
    """Raise `Wrong` unless a function is compiled for threads."""
    if not any(note["parallel"] for note in facts["compiled"]):
        raise Wrong(f"{name}: it is not compiled with `parallel=True`, so that one thread does it")


def busy(module):
    """Return how many compactions were wrong, and each thread's busy seconds, the longest first."""
    mask = (np.add.outer(np.arange(SHAPE[0]), np.arange(SHAPE[1])) % 3 == 0).astype(np.uint8)
    module.compact(mask)
    found = []
    seconds = usage.busy(lambda: found.append(module.compact(mask)), CALLS)
    right = np.flatnonzero(mask)
    return sum(not np.array_equal(one, right) for one in found), seconds
