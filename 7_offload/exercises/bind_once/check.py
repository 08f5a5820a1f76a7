"""Count the bytes copied for many masks of a polygon that moves."""

import numpy as np

from ladder.registry import reference
from ladder.workshop.sandbox import offloading
from ladder.workshop.sandbox.check_failed import CheckFailed

UNDER = offloading.UNDER


def check(answer, random):
    """Raise `CheckFailed` at the first masks that are wrong, or that need too many copies."""
    rng = np.random.default_rng(random.randrange(10**6))
    for n, shape, count in ((3, (20, 33), 4), (5, (41, 17), 1), (9, (19, 30), 7)):

        def draw(n=n, shape=shape, count=count):
            vertices = rng.uniform(-2, 2 + max(shape), (n, 2))
            steps = rng.uniform(-3, 3, (count, 2))
            moved = vertices + np.cumsum([(0, 0), *steps[:-1]], axis=0)[:, None]
            masks = np.array([reference.mask(polygon, shape) for polygon in moved])
            return (vertices, shape, steps), masks

        label = f"{count} masks of {shape[0]} x {shape[1]} pixels, {n} vertices"
        facts = offloading.check_call(answer.masks, draw, label)
        check_travel(facts, 16 * n, shape[0] * shape[1], count, label)


def check_travel(facts, polygon, mask, count, label):
    """Raise `CheckFailed` unless vertices and masks are copied once, into one mask's memory."""
    advice = "send the vertices once, move them on the device, and never send a mask"
    offloading.check_bytes(facts, "to_device", polygon, label, advice)
    advice = "which array is copied back? `empty` does it unless `update_host=False`"
    offloading.check_bytes(facts, "to_host", count * mask, label, advice)
    allocated = offloading.nbytes(facts, "allocate")
    if allocated > polygon + 2 * mask:
        raise CheckFailed(
            f"{label}: right, but {allocated} bytes were allocated on the device: bind one mask "
            f"of {mask} bytes before the loop, and use it for all masks"
        )
