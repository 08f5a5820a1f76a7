"""Compare a box before and after another call, and boxes that several threads compute at once."""

import numpy as np

from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed, same

POINTS = 800_000  # a call takes longer than the start of another thread
BOXES, ROUNDS = 4, 10


def check(answer, random):
    """Raise `CheckFailed` if a box changes, or if another thread's points are in it."""
    points = np.random.default_rng(random.randrange(10**6)).random((BOXES, POINTS, 2))
    points += np.arange(BOXES)[:, None, None] * 10
    boxes = [np.concatenate([p.min(axis=0), p.max(axis=0)]) for p in points]
    child.step("computing two boxes, one after the other")
    first = answer.box(points[0])
    same(first, boxes[0], "the first box")
    second = answer.box(points[1])
    same(second, boxes[1], "the second box")
    if not np.array_equal(first, boxes[0]):
        fact = "the second call has changed the first box"
        raise CheckFailed(fact, advice="both arrays are C's static buffer: return a copy")
    calls = [(p,) for p in points] * ROUNDS
    label = f"{len(calls)} boxes at once, each in a thread of its own"
    child.step(f"computing {label}")
    for got, right in zip(child.at_once(answer.box, calls), boxes * ROUNDS, strict=True):
        if not np.array_equal(got, right):
            advice = "another thread used the buffer: keep the GIL, or a lock, until it is copied"
            raise CheckFailed(f"{label}: expected {right}, got {got}", advice=advice)
