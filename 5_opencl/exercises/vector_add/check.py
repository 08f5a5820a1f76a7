"""Adds vectors of lengths that are no multiples of a work-group."""

import math

import numpy as np

from polymask.workshop.sandbox import child, device, poison
from polymask.workshop.sandbox.wrong import Wrong, same

UNDER = device.UNDER
LONG = 10_000  # pairs, more than any work-group has items


def check(answer, random):
    """Raise `Wrong` at the first sum that is not right, or is the host's."""
    for n in (64, 1, 63, 65, random.randrange(100, 5000)):
        label, (a, b) = f"vectors of length {n}", drawn(random, n)
        right = a + b
        child.step(f"adding {label}")
        poison.memory((n, 4))
        got, facts = child.observe(answer.add, a, b)
        same(got, right, label)
        device.check_arguments(facts, label)
        device.check_margins(facts, label)
        device.check_launched(facts, label)
        check_size(facts, n, label)
    label = "vectors of length 1000"
    a, b = drawn(random, 1000)
    device.check_idle(answer.add, [a, b], a + b, label)
    a, b = drawn(random, LONG)
    check_shared(answer, a, b)


def check_size(facts, n, label):
    """Raise `Wrong` if there are fewer items than pairs."""
    launched = sum(math.prod(launch["size"]) for launch in device.launches(facts))
    if launched < n:
        raise Wrong(
            f"{label}: {launched} items were launched for {n} pairs: item i adds the i-th pair, "
            "and the global size is n rounded up to whole groups"
        )


def check_shared(answer, a, b):
    """Raise `Wrong` if items of one work-group do the work of all."""
    label, right = f"vectors of length {len(a)}", a + b
    child.switch("launches", part="first")
    alone = answer.add(a, b)
    child.switch("launches", part="rest")
    others = answer.add(a, b)
    child.switch("launches")
    # Items that go through the vectors in strides do all if they are alone; then look at others.
    if np.array_equal(alone, right) and not np.array_equal(others[-64:], right[-64:]):
        raise Wrong(
            f"{label}: one work-group adds all pairs, and the others none: item i adds the i-th "
            "pair, and only that"
        )


def drawn(random, n):
    """Return two vectors of random numbers."""
    return np.random.default_rng(random.randrange(10**6)).random((2, n), dtype=np.float32)
