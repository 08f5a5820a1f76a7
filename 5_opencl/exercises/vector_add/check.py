"""Adds vectors of lengths that are no multiples of a work-group."""

import numpy as np

from polymask.workshop.sandbox import device
from polymask.workshop.sandbox.wrong import Wrong, same

UNDER = device.UNDER | {"buffers": {}}


def check(answer, random):
    """Raise `Wrong` at the first sum that is not right, or is the host's."""
    if not hasattr(answer, "add"):
        raise Wrong("vector_add.py has no function add")
    for n in (64, 1, 63, 65, random.randrange(100, 5000)):
        label, (a, b) = f"vectors of length {n}", drawn(random, n)
        answer.doing(f"adding {label}")
        answer.ours("poison", "memory", (n, 4))
        got, facts = answer.observe("add", a, b)
        same(got, a + b, label)
        device.check_margins(facts, label)
        device.check_launched(facts, label)
    a, b = drawn(random, 100)
    device.check_idle(answer, "add", (a, b), a + b, "vectors of length 100")


def drawn(random, n):
    """Return two vectors of random numbers."""
    return np.random.default_rng(random.randrange(10**6)).random((2, n), dtype=np.float32)
