"""Joins masks of random polygons, and looks whether the device does it."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import device
from polymask.workshop.sandbox.wrong import Wrong, same_mask

UNDER = device.UNDER


def check(answer, random):
    """Raise `Wrong` at the first result that is not right, or is the host's."""
    if not hasattr(answer, "either"):
        raise Wrong("elementwise.py has no function either")
    for shape in ((1, 1), (7, 13), (31, 64)):
        (a, b), label = drawn(random, shape), f"masks of shape {shape}"
        answer.ours("poison", "memory", shape)
        got, facts = answer.observe("either", a, b)
        same_mask(got, a ^ b, label)
        device.check_arguments(facts, label)
        device.check_margins(facts, label)
        device.check_launched(facts, label, "ElementwiseKernel")
    shape = 61, 83
    device.check_work(
        answer,
        "either",
        lambda: drawn(random, shape),
        np.bitwise_xor,
        f"masks of shape {shape}",
        "ElementwiseKernel",
    )


def drawn(random, shape):
    """Return the masks of two random polygons."""
    seeds = (random.randrange(10**6) for _ in range(2))
    return [reference.mask(workload.polygon(9, shape, seed), shape) for seed in seeds]
